"""Train MaskablePPO on a game, and record its score as a function of CPU time.

    python measurements/train_maskable_ppo.py connect-four --minutes 15 --out runs/connect-four

MaskablePPO plays against random opponents in the compiled loop, with the seats in turn. After every
part of the training, it plays 400 test matches, from which it does not learn. The curve, with
intervals, is written as JSON, and the last policy as weights for
`plyglass.interop.learners.Weights`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sb3_contrib import MaskablePPO

import plyglass as pg
from plyglass.interop.learners import Weights, save
from plyglass.interop.sb3 import SB3VecEnv
from plyglass.stats.intervals import wilson

GAMES = 400


def evaluated(model: MaskablePPO, text: str, games: int) -> tuple[int, float, int]:
    """(wins, mean score, matches) of the greedy policy against random play, seats in turn."""
    env = SB3VecEnv(text, 100, opponents="random", seat=None)
    env.seed(2**20)
    observations, wins, scores, played = env.reset(), 0, 0.0, 0
    totals = np.zeros(100)
    while played < games:
        masks = env.inner.action_masks()
        actions, _ = model.predict(observations, deterministic=True, action_masks=masks)
        observations, rewards, over, _ = env.step(actions)
        totals += rewards
        for match in np.flatnonzero(over):
            if played < games:
                wins, scores, played = (
                    wins + (totals[match] > 0),
                    scores + totals[match],
                    played + 1,
                )
            totals[match] = 0.0
    return int(wins), scores / played, played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=32_768, help="of one part of the training")
    parser.add_argument("--enough", type=float, default=1.1, help="stop at this rate of wins")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    env = SB3VecEnv(given.game, 64, opponents="random", seat=None)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=128, batch_size=1024, gamma=1.0, ent_coef=0.01, seed=1,
        policy_kwargs={"net_arch": [128, 128]},
    )  # fmt: skip
    began, curve = time.process_time(), []
    while True:
        wins, mean, games = evaluated(model, given.game, GAMES)
        low, high = wilson(wins, games)
        minutes = (time.process_time() - began) / 60
        point = {"steps": int(model.num_timesteps), "minutes": round(minutes, 2), "wins": wins}
        curve.append({**point, "games": games, "low": low, "high": high, "score": mean})
        print(curve[-1], flush=True)
        (given.out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n")
        if minutes >= given.minutes or wins / games >= given.enough:
            break
        model.learn(given.steps, reset_num_timesteps=False)
    game = pg.game_from(given.game)
    save(model, game, given.out / "policy.npz")
    player = Weights(str(given.out / "policy.npz"))
    players = [player, pg.agent_from("random")]
    print("as a player:", np.mean([pg.play(game, players, seed=n).scores[0] for n in range(100)]))


if __name__ == "__main__":
    main()
