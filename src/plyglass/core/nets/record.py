"""Nets in memory, where kernels find them by address."""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import JIT, ModuleTwin, interpreted
from plyglass.core.game import Game
from plyglass.core.memory import callable_address
from plyglass.core.nets import inputs as code
from plyglass.core.nets import value
from plyglass.core.nets.file import Encoding, Floats, Net, Reals, read_net, refuse_other_game
from plyglass.core.state import Bytes
from plyglass.core.table import address_in_table
from plyglass.trust import refuse_as_data

SHIPPED = "net.npz"  # the file of a game's own net, beside the game's class
_records: dict[tuple[str, str, bool, tuple[float, float]], Record] = {}
_read: dict[tuple[str, int, int], Net] = {}
_functions: dict[bool, int] = {}


class Record:
    """A net in memory for kernels; `address` is valid as long as the `Record` exists."""

    def __init__(self, net: Net, game: Game, where: object = "in memory") -> None:
        refuse_other_game(net, game, where)
        encoding = net.encoding
        self.net = net
        low, high = game.scores
        self._kept: list[npt.NDArray[np.generic]] = [
            np.ascontiguousarray(encoding.program),
            np.append(encoding.numbers, 0.0),
            np.append(encoding.lookups, 0),
            np.ascontiguousarray(net.weights),
            np.ascontiguousarray(net.out),
            np.array([low, high - low]),
        ]
        program, numbers, lookups, weights, out, scores = (each.ctypes.data for each in self._kept)
        words = np.zeros(code.RECORD_WORDS, np.int64)
        words[code.FUNCTION] = _function(game.compiled == JIT and JIT)
        words[code.PROGRAM], words[code.INSTRUCTIONS] = program, len(encoding.program)
        words[code.NUMBERS], words[code.NUMBER_COUNT] = numbers, len(encoding.numbers)
        words[code.LOOKUPS], words[code.LOOKUP_COUNT] = lookups, len(encoding.lookups)
        words[code.INPUTS], words[code.UNITS] = encoding.inputs, net.weights.shape[1]
        words[code.WEIGHTS], words[code.OUT], words[code.SCORES] = weights, out, scores
        words[code.VIEW], words[code.FEATURES] = encoding.kind == "view", encoding.features
        words[code.FEATURES_AT] = len(encoding.numbers) - 2 * encoding.features
        words[code.APART], words[code.MOST_ACTIVE] = encoding.apart, encoding.most_active
        self._words = words
        self.address = int(words.ctypes.data)


def _function(compiled: bool) -> int:
    """The address of `net_value`, compiled or interpreted."""
    if compiled not in _functions:
        _functions[compiled] = (
            # like the rule `place`, `net_value` takes four integers and returns a real number
            address_in_table("place", value.net_value)
            if compiled
            else callable_address(interpreted(value.net_value))
        )
    return _functions[compiled]


def evaluator(game: Game, text: str) -> int:
    """The number that identifies a net in a search.

    `text` is `net(FILE)`, or `net` for the game's own net. The number is minus the address of the
    net's record, because addresses of a game's evaluators are positive.
    """
    name, bracket, file = text.partition("(")
    if name != "net" or (bracket and not file.endswith(")")):
        raise ValueError(f"The evaluator {text!r} is not of the form net(FILE).")
    file = file.removesuffix(")")
    if file:
        refuse_as_data(file)
        path = Path(file)
    else:
        path = Path(inspect.getfile(type(game))).with_name(SHIPPED)
        if not path.is_file():
            raise ValueError(
                f"{game.name} comes without a net; learn one with `plyglass learn {game.name} "
                "--net FILE` and write evaluator=net(FILE)."
            )
    return -keep(game, _net_at(path), path)


def keep(game: Game, net: Net, where: object = "in memory") -> int:
    """The address of a net's record, kept until the process ends; equal nets share a record."""
    seal = hashlib.blake2b(net.weights.tobytes() + net.out.tobytes(), digest_size=10)
    encoding = net.encoding
    for part in (encoding.program, encoding.numbers, encoding.lookups):
        seal.update(part.tobytes())
    seal.update(repr((encoding.layout, encoding.kind, encoding.apart, encoding.features)).encode())
    key = seal.hexdigest(), game.name, game.compiled, game.scores
    if key not in _records:
        _records[key] = Record(net, game, where)
    refuse_other_game(net, game, where)
    return _records[key].address


def _net_at(path: Path) -> Net:
    """The net in a file, read again only if the file has changed."""
    try:
        about = path.stat()
    except OSError:
        return read_net(path)  # raises an error that names the file
    key = str(path), about.st_mtime_ns, about.st_size
    if key not in _read:
        _read[key] = read_net(path)
    return _read[key]


def encoded(game: Game, encoding: Encoding, rows: Bytes, players: npt.NDArray[np.int64]) -> Floats:
    """The inputs of each state, as a row; `players` names the net's player for each state."""
    blank = Net(encoding, np.zeros((encoding.rows + 1, 1), np.float32), np.zeros(2, np.float32))
    record, out = Record(blank, game), np.zeros((len(rows), encoding.rows), np.float32)
    _kernels(game).encode_rows(game.table, record.address, rows, players, out)
    return out


def values(game: Game, net: Net, rows: Bytes, players: npt.NDArray[np.int64]) -> Reals:
    """The value of each state by a net; `players` names the net's player for each state."""
    record, out = Record(net, game), np.zeros(len(rows))
    _kernels(game).value_rows(game.table, record.address, rows, players, out)
    return out


def _kernels(game: Game) -> Any:
    return value if game.compiled == JIT else ModuleTwin(value)
