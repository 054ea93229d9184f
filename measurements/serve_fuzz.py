"""Count servers' answers to 100,000 changed requests: `tests/serve/test_fuzz.py` at full size.

    NIGHTLY=1 python -m measurements.serve_fuzz [FILE.json [SHARE]]

Writes `measurements/data/serve-fuzz.json`. SHARE is the share of each kind of request that is sent.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import sys
import tempfile
from pathlib import Path

from tests.serve.fuzz_run import run
from tests.serve.test_fuzz import PLAN


def main(file: Path, share: float = 1.0) -> None:
    counts = {name: int(share * count) for name, count in dataclasses.asdict(PLAN).items()}
    plan = dataclasses.replace(PLAN, **{**counts, "seed": PLAN.seed})
    with tempfile.TemporaryDirectory() as folder:
        servers = run(plan, Path(folder))
    found = {
        "date": datetime.date.today().isoformat(),
        "plan": dataclasses.asdict(plan),
        "requests": sum(each["requests"] for each in servers.values()),
        "servers": servers,
    }
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    default = Path(__file__).parent / "data" / "serve-fuzz.json"
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    main(file, float(sys.argv[2]) if len(sys.argv) > 2 else 1.0)
