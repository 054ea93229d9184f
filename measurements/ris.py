"""RIS against other forms of ISMCTS: exploitability, and points at equal CPU time.

    python measurements/ris.py exploitability kuhn-poker 1000 --seeds 30
    python measurements/ris.py pace duel
    plyglass match duel mo-ismcts:reimagine=true,iterations=N so-ismcts:iterations=1000 --games 400

`pace` prints the N with which RIS takes as much CPU time as SO-ISMCTS with 1,000 iterations. It
measures both agents in the same matches, and takes the median of several tries.
"""

import argparse
import statistics

import numpy as np

import plyglass as pg
from plyglass.benchmark.pace import timed
from plyglass.core.seeds import derive

RIS = "mo-ismcts:reimagine=true"
FORMS = ("so-ismcts", "mo-ismcts", RIS)
REFERENCE = 1000  # iterations of SO-ISMCTS
TRIES = 5
HIGHEST_SCORE = {"kuhn-poker": 2, "leduc-poker": 13}


def with_parameters(text, **parameters):
    """The text of an agent with further parameters."""
    given = ",".join(f"{name}={value}" for name, value in parameters.items())
    return f"{text}{',' if ':' in text else ':'}{given}"


def print_exploitability(name, iterations, seeds, raw):
    """Print the mean exploitability of each form, and its standard deviation over seeds."""
    game = pg.game_from(name)
    exploration = raw / (2 * HIGHEST_SCORE[name])  # on scores scaled to [0, 1]
    for form in FORMS:
        agent = pg.agent_from(with_parameters(form, exploration=exploration, iterations=iterations))
        found = [pg.exploitability(agent, game, seed=seed) for seed in range(seeds)]
        spread = f"{np.std(found, ddof=1):.4f}" if seeds > 1 else "-"
        print(f"{name}, {iterations} iterations, {form}: {np.mean(found):.4f} ({spread})")


def print_pace(name):
    """Print the iterations of RIS at equal CPU time, and the ratio of the CPU times."""
    game, iterations = pg.game_from(name), REFERENCE
    reference = with_parameters("so-ismcts", iterations=REFERENCE)
    ratio(game, iterations, reference)  # compiles
    for _ in range(3):
        share = ratio(game, iterations, reference)
        iterations = round(iterations / share)
    print(f"{name}: {iterations} iterations, {ratio(game, iterations, reference):.2f} of the time")


def ratio(game, iterations, reference):
    """The CPU time of a decision of RIS, divided by that of the reference."""
    agents = with_parameters(RIS, iterations=iterations), reference
    tries = [timed(game, agents, derive(1, number)) for number in range(TRIES)]
    return statistics.median(ours / theirs for ours, theirs in tries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    exploiting = commands.add_parser("exploitability")
    exploiting.add_argument("game", choices=HIGHEST_SCORE)
    exploiting.add_argument("iterations", type=int)
    exploiting.add_argument("--seeds", type=int, default=30)
    exploiting.add_argument("--raw", type=float, default=2.0, help="exploration on raw scores")
    pacing = commands.add_parser("pace")
    pacing.add_argument("game")
    options = parser.parse_args()
    if options.command == "pace":
        print_pace(options.game)
    else:
        print_exploitability(options.game, options.iterations, options.seeds, options.raw)


if __name__ == "__main__":
    main()
