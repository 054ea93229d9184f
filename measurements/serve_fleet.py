"""Play matches on a fleet of servers while workers, replicas and the database are killed.

    python -m measurements.serve_fleet OUT.json [MATCHES KILLS RESTARTS]

By default, the numbers are those of the nightly test: 200 matches, 30 kills, 2 restarts of
PostgreSQL.
"""

from __future__ import annotations

import datetime
import json
import sys
import tempfile
from pathlib import Path

from tests.whole.fleet import Plan, run


def main(out: Path, matches: int = 200, kills: int = 30, restarts: int = 2) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = run(Plan(matches, kills, restarts), Path(folder))
    found["date"] = datetime.date.today().isoformat()
    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
