"""Files of former versions: a record is still verified, and a tournament is still played.

Both files were made before studies moved and parameters were grouped. Each name that has changed
since is read with a warning that says what to write instead.
"""

from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.references import function_from
from plyglass.arena.tournament.match_row import digest_of_rows
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match
from plyglass.core.compile import JIT

FORMER = Path(__file__).parent / "former"
RUN_ID = "0a81fd0beb7bd9b8"  # of former/tournament.toml then
DIGEST = "8cb5b40d0c0b7cd9af6d25bfc5bed5b7"  # of its table then

REFERENCES = [
    ("arena.measures:length", "arena.tournament.measures"),
    ("experiments.duelyst.hands:hands", "experiments.studies.duelyst.measures"),
    ("experiments.duelyst.measures:judged", "experiments.studies.duelyst.measures"),
    (
        "experiments.duelyst_multi_ply.measures:turns",
        "experiments.studies.duelyst_multi_ply.measures",
    ),
    ("experiments.fog_of_war.measures:fights", "experiments.studies.fog_of_war.measures"),
    ("experiments.navy_defense.behaviour:moving", "experiments.studies.navy_defense.measures"),
    ("experiments.navy_defense.worlds:surprise", "experiments.studies.navy_defense.starts"),
    ("experiments.pandemic.measures:cures", "experiments.studies.pandemic.measures"),
    (
        "experiments.representative_moves.measures:ends",
        "experiments.studies.representative_moves.measures",
    ),
]


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_a_former_record_is_verified():
    with pytest.warns(FutureWarning) as caught:
        pg.verify(pg.Record.load(FORMER / "match.json"))
    said = words_of(caught)
    assert "write turn=turn(beam=4,room=512) instead of beam=4,room=512" in said
    assert "instead of leaf=rollout,epsilon=0.2" in said


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_former_settings_play_the_former_table():
    with pytest.warns(FutureWarning) as caught:
        settings = Settings.load(FORMER / "tournament.toml")
        rows = [play_match(settings, number) for number in range(len(Schedule(settings)))]
    assert "write plyglass.experiments.studies.duelyst.measures:judged" in words_of(caught)
    assert settings.run_id == RUN_ID  # so a former store is resumed
    assert digest_of_rows(rows) == DIGEST


def words_of(caught):
    return " ".join(str(each.message) for each in caught)


@pytest.mark.parametrize(("text", "module"), REFERENCES)
def test_a_function_is_found_where_its_module_was(text, module):
    name = text.partition(":")[2]
    with pytest.warns(FutureWarning, match=f"has moved; write plyglass.{module}:{name}"):
        found = function_from(f"plyglass.{text}")
    assert found is function_from(f"plyglass.{module}:{name}")


def test_a_function_that_did_not_move_is_found_without_a_warning():
    assert function_from("plyglass.arena.tournament.measures:length")
