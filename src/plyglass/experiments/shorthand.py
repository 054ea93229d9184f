"""What a study writes once: words that stand for longer text, and artifacts that are like
another but for a few entries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from plyglass.experiments.grids import with_grid

WORD = re.compile(r"{([\w-]+)}")
ADDED_TO = ("rows", "claims")


def written_out(
    artifacts: Mapping[str, Mapping[str, Any]], words: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """The entries of all artifacts in full.

    An artifact that is `like` one above it has all of its entries, and its own: tables are put
    together, rows and claims are added, all else is replaced. Where a text has `{name}`, it stands
    for the word of that name, of the artifact's `words` before those of the study; a word may have
    other words in it.
    """
    full: dict[str, dict[str, Any]] = {}
    for key, values in artifacts.items():
        if (like := values.get("like")) and like not in full:
            raise ValueError(
                f"{key} is like {like!r}; it can be like an artifact above it: "
                f"{', '.join(full) or 'there is none'}."
            )
        full[key] = _together(
            full[like] if like else {},
            {name: value for name, value in values.items() if name != "like"},
        )
    return {key: _with_words(key, values, words) for key, values in full.items()}


def _together(other: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = {**other, **own}
    for name in other.keys() & own.keys():
        if isinstance(own[name], Mapping):
            both[name] = _together(other[name], own[name])
        elif name in ADDED_TO:
            both[name] = [*other[name], *own[name]]
    return both


def _with_words(key: str, values: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    own = {**words, **values.get("words", {})}
    done = with_grid(
        {name: _filled(value, own) for name, value in values.items() if name != "words"}
    )
    for agent in done.get("settings", {}).get("agents", {}).values():
        if unknown := WORD.search(agent):
            raise ValueError(
                f"{key}: there is no word {unknown[1]!r} for the agent {agent!r}; the words are "
                f"{', '.join(own) or 'none'}."
            )
    return done


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(each, words) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, words) for each in value]
    return _text(value, words) if isinstance(value, str) else value


def _text(text: str, words: Mapping[str, str]) -> str:
    """The text with words instead of their names; a word does not stand for itself within
    itself.
    """

    def meant(found: re.Match[str]) -> str:
        name = found[1]
        others = {each: words[each] for each in words if each != name}
        return _text(words[name], others) if name in words else found[0]

    return WORD.sub(meant, text)
