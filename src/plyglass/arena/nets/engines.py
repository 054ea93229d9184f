"""Engines of a fit: NumPy, or PyTorch if it is installed (extra `learn`).

Both engines make the same steps of Adam (Kingma and Ba 2015) on the same batches, so their nets
differ only by rounding. With the same engine, equal seeds give equal nets.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from plyglass.core.nets.file import Floats
from plyglass.core.refusals import refuse_other

ENGINES = ("numpy", "torch")
FADE, FADE_SQUARES = 0.9, 0.999  # decay rates of Adam's means of gradients and of squared gradients
DECAY = 1e-5  # weight decay for the weights of inputs
SMALL = 1e-8


class Engine(Protocol):
    """A net while it is fitted.

    A net has four parts: the weights of its inputs, the biases of its units, the weights of its
    output, and the bias of its output. The last unit is linear.
    """

    def step(self, inputs: Floats, targets: Floats, weights: Floats, rate: float) -> None:
        """Make one step that lowers the mean weighted log-loss of a batch."""
        ...

    def parts(self) -> list[Floats]:
        """Copies of the net's present weights and biases."""
        ...


def engine_named(name: str, parts: list[Floats]) -> Engine:
    """The engine of this name, which begins with these weights and biases (see `Engine`)."""
    refuse_other("engine", name, ENGINES)
    return NumpyEngine(parts) if name == "numpy" else TorchEngine(parts)


def usual_engine() -> str:
    """The name of the default engine: PyTorch if it is installed, else NumPy."""
    return "torch" if find_spec("torch") else "numpy"


class NumpyEngine:
    """Adam with gradients written by hand."""

    def __init__(self, parts: list[Floats]) -> None:
        self._parts = [each.copy() for each in parts]
        self._means = [0 * each for each in parts]
        self._squares = [0 * each for each in parts]
        self._steps = 0

    def parts(self) -> list[Floats]:
        return [each.copy() for each in self._parts]

    def step(self, inputs: Floats, targets: Floats, weights: Floats, rate: float) -> None:
        self._steps += 1
        slopes = gradients(self._parts, inputs, targets, weights)
        for part, slope, mean, square in zip(
            self._parts, slopes, self._means, self._squares, strict=True
        ):
            mean += np.float32(1 - FADE) * (slope - mean)
            square += np.float32(1 - FADE_SQUARES) * (slope * slope - square)
            true_mean = mean / np.float32(1 - FADE**self._steps)
            true_square = square / np.float32(1 - FADE_SQUARES**self._steps)
            part -= np.float32(rate) * true_mean / (np.sqrt(true_square) + np.float32(SMALL))


def gradients(
    parts: list[Floats], inputs: Floats, targets: Floats, weights: Floats
) -> list[Floats]:
    """The gradients of the mean weighted log-loss, including weight decay."""
    rows, biases, out, bias = parts
    sums = inputs @ rows + biases
    units = sums.copy()
    np.maximum(units[:, :-1], 0, out=units[:, :-1])
    likely = 1 / (1 + np.exp(-(units @ out + bias[0])))
    slope = ((likely - targets) * weights / np.float32(len(inputs))).astype(np.float32)
    back = slope[:, None] * out[None]
    back[:, :-1] *= sums[:, :-1] > 0
    return [
        inputs.T @ back + np.float32(DECAY) * rows,
        back.sum(axis=0),
        units.T @ slope,
        slope.sum(keepdims=True),
    ]


class TorchEngine:
    """Adam in PyTorch, on one thread, because several threads would sum in a varying order."""

    def __init__(self, parts: list[Floats]) -> None:
        try:
            import torch
        except ImportError:
            raise RuntimeError(
                "The engine torch needs PyTorch: pip install 'plyglass[learn]', or give "
                "--engine numpy."
            ) from None
        self._torch: Any = torch
        torch.set_num_threads(1)
        self._parts = [torch.tensor(each, requires_grad=True) for each in parts]
        groups = [
            {"params": self._parts[:1], "weight_decay": DECAY},
            {"params": self._parts[1:], "weight_decay": 0.0},
        ]
        self._adam = torch.optim.Adam(groups, betas=(FADE, FADE_SQUARES), eps=SMALL)

    def parts(self) -> list[Floats]:
        return [each.detach().numpy().copy() for each in self._parts]

    def step(self, inputs: Floats, targets: Floats, weights: Floats, rate: float) -> None:
        torch = self._torch
        rows, biases, out, bias = self._parts
        sums = torch.from_numpy(inputs) @ rows + biases
        logits = sums[:, :-1].relu() @ out[:-1] + sums[:, -1] * out[-1] + bias
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, torch.from_numpy(targets), torch.from_numpy(weights)
        )
        for group in self._adam.param_groups:
            group["lr"] = rate
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()
