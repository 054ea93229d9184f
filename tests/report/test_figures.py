"""Figures are written, are not empty, and show what they should."""

import pytest

from tests.report.hand_made import ladder, row, small_run, three_agents

pytest.importorskip("matplotlib")

import matplotlib as mpl
import numpy as np
from matplotlib.image import imread

from plyglass.report.belief_figures import reliability_picture
from plyglass.report.figures import pictures
from plyglass.report.run import run_of
from plyglass.report.style import HEAD, house_style, readable_on, sheet
from plyglass.stats.intervals import wilson
from plyglass.stats.reliability import reliability_bins


@pytest.fixture(scope="module")
def of_ladder():
    return {picture.name: picture for picture in pictures(ladder())}


def test_a_run_has_every_kind_of_figure(of_ladder):
    assert set(of_ladder) == {
        "ratings", "cross-all-games", "cross-tic-tac-toe", "cross-pig-goal-30", "budget-uct",
        "seats", "lengths",
    }  # fmt: skip


def test_figures_are_written_as_svg_and_png_and_are_not_empty(of_ladder, tmp_path):
    for picture in of_ladder.values():
        vector, raster = picture.write(tmp_path)
        assert "<path" in vector.read_text()
        pixels = imread(raster)
        assert min(pixels.shape[:2]) > 200
        below_head = pixels[int(HEAD * 140) :]
        assert (below_head[..., :3].min(axis=2) < 0.9).mean() > 0.003, f"{picture.name} is blank"


def test_no_heading_runs_out_of_its_figure(of_ladder):
    for picture in of_ladder.values():
        picture.figure.draw_without_rendering()
        for text in picture.figure.texts:
            assert text.get_window_extent().x1 <= picture.figure.bbox.x1, (
                f"{picture.name}: {text.get_text()}"
            )


def test_long_headings_break_into_lines_that_lie_apart():
    with house_style():
        title, subtitle = (
            "What WORDS a Wide heading May have " * 6,
            "24 games of each of them; 95 % intervals (Wilson) over deals; " * 4,
        )
        figure, (axes,) = sheet(title, subtitle, 2.0, width=5.6)
        figure.draw_without_rendering()
    above, below = (text.get_window_extent() for text in figure.texts)
    assert max(above.x1, below.x1) <= figure.bbox.x1
    assert above.y0 > below.y1 > below.y0 > axes.get_window_extent().y1


def test_equal_runs_give_equal_figures(of_ladder):
    again = {picture.name: picture.svg() for picture in pictures(ladder())}
    assert again == {name: picture.svg() for name, picture in of_ladder.items()}


def test_figures_say_how_many_games_stand_behind_them(of_ladder):
    assert "96 games" in of_ladder["ratings"].subtitle
    assert "32 games per cell" in of_ladder["cross-all-games"].subtitle
    labels = [label.get_text() for label in of_ladder["seats"].figure.axes[0].get_yticklabels()]
    assert labels == ["tic-tac-toe  (n = 48)", "pig:goal=30  (n = 48)"]


def test_every_axis_is_labelled(of_ladder):
    for name in ("ratings", "budget-uct", "seats", "lengths"):
        assert all(axes.get_xlabel() for axes in of_ladder[name].figure.axes)


def test_a_heat_map_shows_the_rates_of_the_cross_table(of_ladder):
    shown = [text.get_text() for text in of_ladder["cross-all-games"].figure.axes[0].texts]
    assert shown.count("75%") == 3
    assert shown.count("25%") == 3


def test_a_run_of_few_equal_matches_can_be_drawn():
    run = run_of(three_agents(), [row(number, (0.0, 0.0)) for number in range(6)])
    assert {picture.name for picture in pictures(run)} == {
        "ratings",
        "cross-tic-tac-toe",
        "seats",
        "lengths",
    }
    assert pictures(small_run())


def test_a_game_without_opponents_shows_scores():
    run = run_of(
        three_agents(games=("tiger:steps=5",), deals=2),
        [row(number, (float(number),)) for number in range(6)],
    )
    assert {picture.name for picture in pictures(run)} == {"scores-tiger-steps-5", "lengths"}


def test_names_that_files_cannot_tell_apart_get_files_of_their_own():
    names = [picture.name for picture in pictures(ladder(games=("pig:goal=30", "pig:goal= 30")))]
    assert len(names) == len(set(names))


def test_names_may_hold_signs_of_formulas(tmp_path):
    for picture in pictures(ladder(names=("$x", "y_1$", "z^{"))):
        picture.write(tmp_path)


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    before = dict(mpl.rcParams)
    pictures(small_run())
    assert dict(mpl.rcParams) == before


def test_text_stands_out_from_its_cell():
    assert readable_on((1, 1, 1, 1)) == "#14181c"
    assert readable_on((0, 0.2, 0.4, 1)) == "#fdfdfd"


def test_reliability_bins_hold_the_rates_counted_by_hand():
    first, last = reliability_bins(
        [0.1, 0.2, 0.3, 0.9, 1.0], [False, True, False, True, True], bins=2
    )
    assert (first.count, first.rate, first.predicted) == (3, 1 / 3, pytest.approx(0.2))
    assert (first.low, first.high) == wilson(1, 3)
    assert (last.count, last.rate, last.predicted) == (2, 1.0, 0.95)


def test_calibrated_predictions_lie_within_their_intervals():
    generator = np.random.default_rng(5)
    predicted = generator.random(20_000)
    bins = reliability_bins(predicted, generator.random(20_000) < predicted)
    assert sum(each.low <= each.predicted <= each.high for each in bins) >= 8


def test_a_reliability_curve_is_written(tmp_path):
    picture = reliability_picture([0.1, 0.5, 0.9], [False, True, True], "Reliability of a guess")
    assert all(file.stat().st_size > 5000 for file in picture.write(tmp_path))
    assert picture.subtitle.startswith("3 predictions in 3 bins")


@pytest.mark.parametrize(
    ("predicted", "outcomes"), [([], []), ([0.5], [True, False]), ([1.5], [True])]
)
def test_predictions_that_are_none_are_refused(predicted, outcomes):
    with pytest.raises(ValueError, match=r"prediction|probability"):
        reliability_bins(predicted, outcomes)
