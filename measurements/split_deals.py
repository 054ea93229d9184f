"""Count how often the first agent won, drew or lost the two games of a deal.

    python measurements/split_deals.py RUN.sqlite

RUN.sqlite is the store of a tournament of two agents in which every deal was played with both
seats. If the deal decides most games, an agent rarely loses both games of a deal.
"""

import sys
from collections import Counter, defaultdict

import numpy as np

import plyglass as pg

NAMES = {-1: "lost", 0: "drew", 1: "won"}


def main():
    table, deals = pg.results(sys.argv[1]), defaultdict(list)
    first = table["agent"].iloc[0]
    for row in table[table["agent"] == first].itertuples():
        deals[row.deal].append(int(np.sign(row.score)))
    counts = Counter(tuple(sorted(results)) for results in deals.values())
    for results, count in sorted(counts.items()):
        print(f"{first} {' and '.join(NAMES[each] for each in results)}: {count} deals")


if __name__ == "__main__":
    main()
