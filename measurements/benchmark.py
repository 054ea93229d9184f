"""Record results of `plyglass benchmark --own`: the package's files, tables, figures and the page.

    plyglass benchmark --own --size hour --out FOLDER
    python measurements/benchmark.py FOLDER

The script copies the results of the suite's own agents into the package, writes all tables as CSV
to measurements/data/benchmark and the figures to docs/images, and prints the tables of
docs/benchmark.md.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from plyglass.benchmark import recorded
from plyglass.benchmark.figures import pictures
from plyglass.benchmark.page import all_tables, found_in
from plyglass.benchmark.result import file_name, read
from plyglass.benchmark.suite import SUITE_1
from plyglass.benchmark.tables import frontier_table, rating_grid

ROOT = Path(__file__).parents[1]


def main(folder: Path) -> None:
    """Record the results in a folder."""
    place = recorded.FOLDER / SUITE_1.name
    place.mkdir(parents=True, exist_ok=True)
    for name in SUITE_1.agents:
        source = folder / file_name(name)
        if source.exists() and source.resolve() != (place / source.name).resolve():
            read(source)  # refuses what is damaged
            shutil.copyfile(source, place / source.name)
    results = recorded.recorded(SUITE_1)
    found = found_in(SUITE_1, results)
    data = ROOT / "measurements" / "data" / "benchmark"
    data.mkdir(parents=True, exist_ok=True)
    for table in all_tables(SUITE_1, results, found):
        (data / f"{table.name}.csv").write_text(table.csv(), encoding="utf-8")
    for picture in pictures(found.boards, found.places):
        image = ROOT / "docs" / "images" / f"benchmark-{picture.name}.png"
        picture.figure.savefig(image, format="png", dpi=140, metadata={"Software": None})
    for ranked in found.boards:
        print(rating_grid(ranked).markdown())
    print(frontier_table(found.places).markdown())
    print(sum(result.games for result in results), "matches")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
