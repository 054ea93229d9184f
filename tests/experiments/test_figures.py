"""Figures, tables and recorded files of the Navy Defense study, from planted values."""

import json
from dataclasses import replace

import numpy as np
import pytest

from plyglass.experiments import readme, recorded
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import MOST_VALUES, results_of
from plyglass.experiments.study import STUDIES, artifacts
from plyglass.experiments.verdicts import judge

ARTIFACTS = {each.key: each for each in artifacts(STUDIES) if each.study == "navy-defense"}
DEALS = 60


def planted(artifact, folder, trials=2):
    """A reproduction with costs that fall from row to row; seconds lie decades apart."""
    draw, values = np.random.default_rng(3), {}
    shared = draw.gamma(2.0, 30.0, size=(DEALS, 1))
    for place, row in enumerate(artifact.rows):
        own = (shared + draw.gamma(2.0, 20.0 - 0.3 * place, size=(DEALS, trials))).round()
        drawn = (
            10.0 ** (2 - place) * draw.uniform(0.9, 1.1, size=own.shape)
            if row.quantity == "seconds"
            else own
        )
        values[row.name] = {(0, deal): each.tolist() for deal, each in enumerate(drawn)}
    results = results_of(artifact.rows, values, with_distribution=artifact.drawn == "violin")
    findings = judge(artifact.claims, artifact.rows, values)
    return Reproduction(
        replace(artifact, folder=folder),
        results,
        1.0,
        DEALS * trials * len(results),
        "id",
        "digest",
        False,
        findings,
    )


@pytest.mark.parametrize("key", ARTIFACTS)
def test_a_figure_is_drawn_and_not_blank(key, tmp_path):
    image = pytest.importorskip("matplotlib.image")
    done = planted(ARTIFACTS[key], tmp_path / "study")
    assert tmp_path / "out" / key / "figure.png" in readme.write(done, tmp_path / "out" / key)
    pixels = image.imread(tmp_path / "out" / key / "figure.png")
    assert pixels.shape[0] > 300
    assert pixels.shape[1] > 900
    assert (pixels[..., :3] < 0.97).any(axis=2).mean() > 0.05
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 50


def axes_of(key, tmp_path, **changes):
    pytest.importorskip("matplotlib")
    from plyglass.experiments.figures import _kinds
    from plyglass.report.style import house_style

    done = planted(replace(ARTIFACTS[key], **changes), tmp_path)
    with house_style():
        return done, _kinds()[done.artifact.drawn](done).axes


def test_a_heat_map_shows_every_mean_in_its_place_and_the_chosen_cell(tmp_path):
    done, axes = axes_of("figure-1-5", tmp_path)
    means = {result.name: f"{result.ours:.1f}" for result in done.results}
    for panel, particles in zip(axes[:2], (10, 30), strict=True):
        shown = {text.get_position(): text.get_text() for text in panel.texts}
        for y, horizon in enumerate((1, 3, 5, 10, 15)):
            for x, worlds in enumerate((1, 3, 10, 30, 100)):
                assert (
                    shown[x + 0.5, y + 0.4]
                    == means[f"{particles} particles, {worlds} worlds, horizon {horizon}"]
                )
    assert [len(panel.patches) for panel in axes[:2]] == [0, 1]
    assert axes[1].patches[0].get_xy() == (3, 2)
    assert axes[0].get_xlabel() == "worlds per decision"


def test_a_row_without_a_place_is_not_part_of_a_heat_map(tmp_path):
    rows = ARTIFACTS["figure-1-5"].rows
    _, axes = axes_of(
        "figure-1-5",
        tmp_path,
        rows=(*rows, replace(rows[0], name="elsewhere", x="", y="", panel="")),
    )
    assert sum(len(panel.texts) for panel in axes) == 2 * len(rows)  # a mean and its interval each


def test_seconds_that_lie_decades_apart_have_a_logarithmic_axis(tmp_path):
    _, (axes,) = axes_of("figure-1-7", tmp_path)
    assert axes.get_xscale() == "log"
    _, (costs,) = axes_of("figure-1-8", tmp_path)
    assert costs.get_xscale() == "linear"


@pytest.mark.parametrize("key", [key for key, each in ARTIFACTS.items() if each.claims])
def test_a_result_with_claims_is_recorded_and_read_back(key, tmp_path):
    done = planted(ARTIFACTS[key], tmp_path)
    path = recorded.record(done)
    assert recorded.recorded(done.artifact) == done
    assert path.stat().st_size < 25_000
    values = json.loads(path.read_text())
    assert ("values" in values["rows"][0]) == (key == "figure-1-6")
    assert [each["says"] for each in values["claims"]] == [
        claim.says for claim in done.artifact.claims
    ]


def test_values_of_a_distribution_are_kept_whole_if_few_and_thinned_out_if_many(tmp_path):
    few, many = (
        planted(ARTIFACTS["figure-1-6"], tmp_path, trials).results[0] for trials in (2, 20)
    )
    assert (len(few.values), few.n) == (2 * DEALS, 2 * DEALS)
    assert np.mean(few.values) == pytest.approx(few.ours)
    assert (len(many.values), many.n) == (MOST_VALUES // 6, 20 * DEALS)
    assert np.mean(many.values) == pytest.approx(many.ours, rel=0.02)


def test_claims_stand_in_table_section_and_json(tmp_path):
    done = planted(ARTIFACTS["figure-1-8"], tmp_path)
    claimed, finding = done.artifact.claims[0].says, done.findings[0]
    for text in (readme.table_of(done), readme.section_of(done)):
        assert (
            f"| {claimed} | 1.4.3 | paired t by deal, one-sided | {finding.rows} | "
            f"{finding.verdict} |" in text
        )
        assert "| | ours, cost | 95 % interval |" in text
    assert done.as_json()["claims"][0]["verdict"] == finding.verdict
    assert finding.sentence in done.as_json()["sentence"]


@pytest.mark.parametrize(
    ("verdicts", "word"),
    [
        (["holds"], "agrees"),
        (["holds", "undecided"], "undecided"),
        (["undecided", "does not hold"], "differs"),
    ],
)
def test_the_word_for_all_is_that_of_the_worst_claim(verdicts, word, tmp_path):
    done = planted(ARTIFACTS["figure-1-8"], tmp_path)
    findings = tuple(replace(done.findings[0], verdict=each) for each in verdicts)
    assert replace(done, findings=findings).verdict == word
