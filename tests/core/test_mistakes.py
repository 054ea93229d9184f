"""Mistakes in rules: each is answered by a sentence with file, line, rule and advice."""

import importlib

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.mistakes import RuleError, explain, refuse_silent
from plyglass.games.kuhn_poker import rules as kuhn
from tests.core.wrong_rules import MORE, RULES, TEN, Wrong

compiled = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def imported(wrong, folder, monkeypatch):
    """The module of a wrong game, and the number of its wrong line."""
    name = f"wrong_{folder.name.replace('-', '_')}"
    line = wrong.write(folder / f"{name}.py")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(folder)
    return importlib.import_module(name), line


@compiled
@pytest.mark.parametrize("name", {**TEN, **MORE})
def test_a_mistake_is_answered_by_a_sentence(name, tmp_path, monkeypatch):
    wrong = {**TEN, **MORE}[name]
    module, line = imported(wrong, tmp_path, monkeypatch)
    with pytest.raises(TypeError) as raised:
        _ = module.Wrong().table
    said = str(raised.value)
    assert said.startswith(f"{module.__name__}.py, line {line}")
    assert f"rule {wrong.rule}" in said
    for words in wrong.words:
        assert words in said
    assert "\n" not in said
    assert "\x1b" not in said


@compiled
def test_the_error_of_numba_is_kept(tmp_path, monkeypatch):
    module, _ = imported(TEN["a float index"], tmp_path, monkeypatch)
    with pytest.raises(RuleError) as raised:
        _ = module.Wrong().table
    assert "Unsupported array index type" in str(raised.value.__cause__)


@compiled
def test_a_mistake_in_a_kernel_names_it_and_the_rule_that_calls_it(tmp_path, monkeypatch):
    top = "@pg.kernel\ndef last(s):\n    return s.cell[-1]\n"
    wrong = Wrong("apply", "s.heap -= last(s)", 1, (), top=top)
    module, _ = imported(wrong, tmp_path, monkeypatch)
    with pytest.raises(RuleError, match="line 9, function last, called by rule apply: the index"):
        _ = module.Wrong().table


@compiled
def test_a_global_that_is_changed_from_outside_is_noticed(tmp_path, monkeypatch):
    module, _ = imported(
        Wrong("apply", "s.heap -= STEP", 1, (), top="STEP = 1"), tmp_path, monkeypatch
    )
    _ = module.Wrong().table
    _ = module.Wrong().table
    module.STEP = 2
    with pytest.raises(RuleError, match="the global STEP changes"):
        _ = module.Wrong().table


@compiled
def test_a_kernel_that_python_calls_is_explained_too():
    @pg.kernel
    def half(values):
        return values[len(values) / 2]

    with pytest.raises(RuleError, match=r"test_mistakes.py, line \d+, function half: an index is"):
        half(np.zeros(3))


def test_good_rules_of_a_user_pass_and_ours_are_not_read(tmp_path, monkeypatch):
    module, _ = imported(Wrong("apply", RULES["apply"][1], 1, ()), tmp_path, monkeypatch)
    for rule in module.Wrong.rules:
        refuse_silent(rule, "apply", {"s": module.State})
    assert explain(KeyError("x"), kuhn.apply, "apply") is None
