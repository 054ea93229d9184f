"""Files of nets: `.npz` archives without pickles, which are checked before a kernel reads them."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.nets import inputs as code

Ints = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Kind = Literal["world", "view"]
KINDS = ("world", "view")
MOST_BYTES = 50_000_000
MOST_UNITS = 1024
VERSION = 1


@dataclass(frozen=True, eq=False)
class Encoding:
    """How a state becomes the inputs of a net.

    Attributes:
        layout: the digest of the state's record, as `layout_of` gives it.
        players: the number of players.
        kind: "world" if the net judges complete positions, "view" if it judges a player's view.
        program: one row of `inputs.COLUMNS` numbers for each instruction.
        numbers: scales and steps of instructions, then the scales of features.
        lookups: the index of each value among the one-hot inputs for its number.
        features: how many features of the game are inputs; they are the last inputs.
        inputs: the number of inputs.
        apart: whether each seat has its own weights, as in a game whose sides have different goals.
    """

    layout: str
    players: int
    kind: Kind
    program: Ints
    numbers: Reals
    lookups: Ints
    features: int
    inputs: int
    apart: bool = False

    @property
    def rows(self) -> int:
        """The number of rows of weights, without the row of biases."""
        return self.inputs * (self.players if self.apart else 1)

    @property
    def most_active(self) -> int:
        """The largest number of inputs that can be nonzero at the same time."""
        most = 2 + self.features
        for row in self.program:
            if row[code.OP] == code.BITS:
                most += int(row[code.LOW]).bit_count()
            else:
                most += 1 + (int(row[code.COUNT]) if row[code.OP] == code.NUMBER else 0)
        return most


@dataclass(frozen=True, eq=False)
class Net:
    """An encoding with weights.

    Attributes:
        weights: a row for each input, then a row of biases. Each column is a unit; the last unit is
            linear.
        out: the weight of each unit, then the bias of the output.
        about: where the net comes from, such as its command, its seed and its test matches.
    """

    encoding: Encoding
    weights: Floats
    out: Floats
    about: dict[str, Any] = field(default_factory=dict)

    def with_about(self, **about: Any) -> Net:
        return replace(self, about={**self.about, **about})


def layout_of(state: np.dtype[Any]) -> str:
    """A digest of the fields of a state, with their types and offsets."""
    fields = [(name, str(kind[0]), kind[1]) for name, kind in (state.fields or {}).items()]
    return hashlib.blake2b(repr((fields, state.itemsize)).encode(), digest_size=10).hexdigest()


def write_net(net: Net, path: Path) -> None:
    """Write a net completely or not at all; equal nets give equal bytes."""
    encoding = net.encoding
    head = {
        "version": VERSION,
        "layout": encoding.layout,
        "players": encoding.players,
        "kind": encoding.kind,
        "features": encoding.features,
        "inputs": encoding.inputs,
        "apart": encoding.apart,
        "about": net.about,
    }
    arrays = {
        "head": np.frombuffer(json.dumps(head, indent=1).encode(), np.uint8),
        "program": encoding.program,
        "numbers": encoding.numbers,
        "lookups": encoding.lookups,
        "weights": net.weights,
        "out": net.out,
    }
    part = path.with_name(path.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), "w") as file:
                np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
    part.replace(path)


def read_net(path: Path) -> Net:
    """Read a net; refuse a file that could make a kernel use memory outside the net."""
    if not path.is_file():
        raise ValueError(f"There is no file {path} with a net; `plyglass learn --net` writes one.")
    try:
        _refuse_large(path)
        with np.load(path, allow_pickle=False) as found:
            head = json.loads(found["head"].tobytes())
            arrays = {name: found[name] for name in found.files if name != "head"}
        encoding = Encoding(
            str(head["layout"]),
            int(head["players"]),
            head["kind"],
            _array(arrays["program"], np.int64, 2),
            _array(arrays["numbers"], np.float64, 1),
            _array(arrays["lookups"], np.int64, 1),
            int(head["features"]),
            int(head["inputs"]),
            bool(head["apart"]),
        )
        weights = _array(arrays["weights"], np.float32, 2)
        net = Net(encoding, weights, _array(arrays["out"], np.float32, 1), dict(head["about"]))
        _refuse_odd(net, head["version"])
    except (
        ValueError,
        KeyError,
        TypeError,
        OSError,
        zipfile.BadZipFile,
        RecursionError,
        MemoryError,
    ) as error:
        raise ValueError(
            f"{path} is not a net of `plyglass learn --net` ({error}); learn it again."
        ) from None
    return net


def refuse_other_game(net: Net, game: Game, where: object) -> None:
    """Refuse a net that was learned for a game with another state or other features."""
    encoding = net.encoding
    if encoding.layout != layout_of(game.state) or encoding.players != game.players:
        learned = net.about.get("game", "another game")
        raise ValueError(
            f"The net {where} was learned for {learned}, whose state differs from that of "
            f"{game.name}; learn one with `plyglass learn {game.name} --net FILE`."
        )
    if encoding.features and (not game.describes or encoding.features != game.most_features):
        raise ValueError(
            f"The net {where} takes {encoding.features} features, but {game.name} has "
            f"{game.most_features if game.describes else 0}; learn the net again."
        )
    program = encoding.program
    ends = program[:, code.OFFSET] + program[:, code.WIDTH]
    ends = ends + program[:, code.STRIDE] * (game.players - 1)
    if len(program) and ends.max() > game.state.itemsize:
        raise ValueError(f"The net {where} reads beyond the state of {game.name}; learn it again.")


def _array(given: npt.NDArray[Any], kind: Any, dimensions: int) -> npt.NDArray[Any]:
    if given.dtype != kind or given.ndim != dimensions:
        raise ValueError(f"an array is {given.dtype} with {given.ndim} dimensions")
    if not np.isfinite(given).all():
        raise ValueError("a number is not finite")
    return np.ascontiguousarray(given)


def _refuse_large(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        if sum(each.file_size for each in archive.infolist()) > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")


def _refuse_odd(net: Net, version: object) -> None:
    """Refuse a net whose program or sizes could make a kernel use memory outside the net."""
    if version != VERSION:
        raise ValueError(f"its version is {version}, not {VERSION}")
    encoding = net.encoding
    rows, units = net.weights.shape
    sound = (
        encoding.kind in KINDS
        and 1 <= encoding.players <= 8
        and 1 <= units <= MOST_UNITS
        and rows == encoding.rows + 1
        and net.out.shape == (units + 1,)
        and 0 <= encoding.features <= encoding.inputs
        and not (encoding.features and encoding.kind == "view")
        and encoding.inputs >= 2 * encoding.players + encoding.features
        and len(encoding.numbers) >= 2 * encoding.features
        and encoding.program.shape[1] == code.COLUMNS
    )
    if not sound or not all(_is_sound(encoding, row.tolist()) for row in encoding.program):
        raise ValueError("its parts do not fit together")


def _is_sound(encoding: Encoding, row: list[int]) -> bool:
    op, offset, width, kind, stride, part, first, low, count, at = row
    last = encoding.inputs - encoding.features
    if not (
        0 <= offset < 1 << 31
        and width in (1, 2, 4, 8)
        and offset % width == 0
        and kind in (code.SIGNED, code.UNSIGNED, code.REAL)
        and 0 <= stride < 1 << 31
        and stride % width == 0
        and 0 <= part < encoding.players
        and first >= 0
    ):
        return False
    if op == code.NUMBER:
        scales = len(encoding.numbers) - 2 * encoding.features
        fits = count >= 0 and at >= 0 and at + 2 + count <= scales
        return fits and first + 1 + count <= last and (kind != code.REAL or width >= 4)
    if kind == code.REAL:
        return False
    if op == code.BITS:
        return low >= 0 and first + low.bit_count() <= last
    if op == code.RELATIVE:
        return first + encoding.players + 1 <= last and abs(low) < 1 << 31
    if op != code.ONE_HOT or not (at >= 0 and count >= 0 and at + count <= len(encoding.lookups)):
        return False
    places = encoding.lookups[at : at + count]
    most = int(places.max()) if count else 0
    return first + most < last and (not count or int(places.min()) >= -1) and abs(low) < 1 << 31
