"""Learners as players: a function on views, a PyTorch module, a Stable-Baselines3 model.

Learners play in matches and tournaments like agents. `Weights` reads a network from a file that
contains only numbers and text. Nothing in this file is executed, so you can load files from other
people. The files of Stable-Baselines3 and of whole PyTorch modules are pickles, which can execute
code. Load such files only if you made them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.arena.specs import game_from, text_of_game
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.world import View
from plyglass.interop.codec import codec_of
from plyglass.interop.observation import Layout
from plyglass.search.interface import Decision

FORMAT = 1
MOST_LAYERS = 64
ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "tanh": np.tanh,
    "relu": lambda values: np.maximum(values, 0.0),
}
Choose = Callable[[View], int]
Logits = Callable[[npt.NDArray[np.float32]], Any]


class _Seat:
    """A seat that applies a function to the last view to choose an action."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view

    def decide(self) -> Decision:
        assert self._view is not None, "observe comes before decide"
        return Decision(int(self._choose(self._view)), tuple(self._view.legal()))


@dataclass(frozen=True)
class Function:
    """A player made from a function that takes a view and returns an action.

    >>> pg.play(game, [Function(lambda view: view.legal()[0]), pg.agent_from("uct")])
    """

    choose: Choose
    foreign: ClassVar[bool] = True
    cheats: ClassVar[bool] = False

    def take_seat(self, game: Game, seat: int, seed: int) -> _Seat:
        return _Seat(self.choose)


@dataclass(frozen=True)
class Network:
    """A player made from a network that takes a flat view and returns a number for each action.

    Args:
        network: a PyTorch module, or any function on an array.
        greedy: whether the player chooses the action with the largest number. Otherwise the player
            draws a random action, with the numbers as logits.
    """

    network: Any
    greedy: bool = True
    foreign: ClassVar[bool] = True
    cheats: ClassVar[bool] = False

    def take_seat(self, game: Game, seat: int, seed: int) -> _Seat:
        return _Seat(_chooser(game, _as_function(self.network), self.greedy, derive(seed, seat)))


@dataclass(frozen=True)
class SB3:
    """A player made from a Stable-Baselines3 or sb3-contrib model trained on flat views."""

    model: Any
    greedy: bool = True
    foreign: ClassVar[bool] = True
    cheats: ClassVar[bool] = False

    def take_seat(self, game: Game, seat: int, seed: int) -> _Seat:
        codec, layout = codec_of(game), Layout(game)
        masked = "action_masks" in self.model.predict.__code__.co_varnames

        def choose(view: View) -> int:
            legal = view.legal()
            more = {"action_masks": codec.mask(legal)} if masked else {}
            number, _ = self.model.predict(layout.encode(view), deterministic=self.greedy, **more)
            action = codec.action(int(number), legal)
            return legal[0] if action is None else action

        return _Seat(choose)


@dataclass(frozen=True)
class Weights:
    """A player made from a network in a file that `save` wrote.

    The file is an archive of arrays with a description in JSON. The file is read without pickle,
    and its shapes are checked. NumPy computes the network, so PyTorch is not needed.

    Args:
        path: the file.
        greedy: whether the player chooses the action with the highest probability. Otherwise the
            player draws a random action by the network's probabilities.
    """

    path: str
    greedy: bool = True
    cheats: ClassVar[bool] = False
    _read: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def take_seat(self, game: Game, seat: int, seed: int) -> _Seat:
        if not self._read:
            self._read.update(_loaded(Path(self.path)))
        made_for = self._read["game"]
        if text_of_game(game) != made_for:
            raise ValueError(f"{self.path} was made for {made_for}, not for {text_of_game(game)}.")
        layers: list[Any] = self._read["layers"]
        sizes = (layers[0][0].shape[1], layers[-1][0].shape[0])
        if sizes != (Layout(game).size, codec_of(game).size):
            raise ValueError(
                f"{self.path} has {sizes[0]} inputs and {sizes[1]} outputs; {game.name} has "
                f"{Layout(game).size} numbers and {codec_of(game).size} actions."
            )
        activation = ACTIVATIONS[self._read["activation"]]

        def logits(values: npt.NDArray[np.float32]) -> Any:
            for weight, bias in layers[:-1]:
                values = activation(weight @ values + bias)
            return layers[-1][0] @ values + layers[-1][1]

        return _Seat(_chooser(game, logits, self.greedy, derive(seed, seat)))


def save(model: Any, game: Game, path: str | Path) -> None:
    """Write the policy of a model to a file that `Weights` can read.

    `model` is a model of Stable-Baselines3 with an `MlpPolicy`, or a PyTorch `Sequential` of linear
    layers with Tanh or ReLU between them.
    """
    modules = _modules(model)
    linear = [each for each in modules if hasattr(each, "weight")]
    others = {type(each).__name__.lower() for each in modules if not hasattr(each, "weight")}
    if len(others) > 1 or not others <= {*ACTIVATIONS}:
        raise ValueError(
            f"The network has {', '.join(sorted(others))} between its layers; only Tanh or only "
            "ReLU can be written."
        )
    about = {
        "format": FORMAT,
        "game": text_of_game(game),
        "activation": next(iter(others), "tanh"),
        "layers": len(linear),
    }
    arrays = {
        f"{name}{number}": getattr(layer, name).detach().cpu().numpy().astype(np.float32)
        for number, layer in enumerate(linear)
        for name in ("weight", "bias")
    }
    with Path(path).open("wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **arrays)


def load_game(path: str | Path) -> Game:
    """The game that a file of weights was made for."""
    return game_from(_loaded(Path(path))["game"])


def _loaded(path: Path) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return _parsed(file)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} holds no weights as `save` writes them: {error}") from error


def _parsed(file: Any) -> dict[str, Any]:
    """The description and the layers in an archive, all checked."""
    about = json.loads(str(file["about"]))
    if about["format"] != FORMAT or not 1 <= about["layers"] <= MOST_LAYERS:
        raise ValueError("its format or its number of layers is unknown")
    if about["activation"] not in ACTIVATIONS:
        raise ValueError(f"its activation {about['activation']!r} is unknown")
    layers = [
        (_checked(file[f"weight{number}"], 2), _checked(file[f"bias{number}"], 1))
        for number in range(about["layers"])
    ]
    width = layers[0][0].shape[1]
    for number, (weight, bias) in enumerate(layers):
        if weight.shape[1] != width or bias.shape != (weight.shape[0],):
            raise ValueError(f"layer {number} does not fit its neighbours")
        width = weight.shape[0]
    return {"game": str(about["game"]), "activation": about["activation"], "layers": layers}


def _checked(array: Any, dimensions: int) -> Any:
    if array.ndim != dimensions or array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError("an array has an odd shape, type or number")
    return array


def _modules(model: Any) -> list[Any]:
    """The layers of a network, in order."""
    policy = getattr(model, "policy", None)
    if policy is not None:
        return [*policy.mlp_extractor.policy_net, policy.action_net]
    return [*model]


def _as_function(network: Any) -> Logits:
    if not hasattr(network, "parameters"):
        return network  # type: ignore[no-any-return]
    import torch

    def logits(values: npt.NDArray[np.float32]) -> Any:
        with torch.no_grad():
            return network(torch.from_numpy(values)[None])[0].numpy()

    return logits


def _chooser(game: Game, logits: Logits, greedy: bool, seed: int) -> Choose:
    """A function that chooses the best legal action, or a random one, by the network's outputs."""
    codec, layout, random = codec_of(game), Layout(game), np.random.default_rng(seed)

    def choose(view: View) -> int:
        legal = view.legal()
        numbers = [codec.number(action, legal) for action in legal]
        values = np.asarray(logits(layout.encode(view)), np.float64)[numbers]
        if greedy:
            return legal[int(np.argmax(values))]
        chances = np.exp(values - values.max())
        return legal[int(random.choice(len(legal), p=chances / chances.sum()))]

    return choose
