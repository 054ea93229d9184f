"""The counts of planted faults in the guide equal those of the recorded list."""

import json
import runpy
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "measurements" / "mutation"


def test_the_guide_has_the_counts_of_the_list():
    script = runpy.run_path(str(FOLDER / "run.py"))
    guide = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert script["counts"]() in guide


def test_every_fault_that_was_written_by_hand_is_noticed_by_its_test():
    for fault in json.loads((FOLDER / "planted.json").read_text(encoding="utf-8")):
        assert fault["noticed by"].startswith(fault["test"]), fault["says"]
        name = fault["test"].partition("::")
        text = (TOP / name[0]).read_text(encoding="utf-8")
        assert f"def {name[2]}(" in text or not name[2]
