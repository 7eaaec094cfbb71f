"""A small network of fully connected layers, trained in plain NumPy so that the same recipe gives the same file.

Rectified units, softmax, cross-entropy, Adam (Kingma and Ba 2015) with a falling step. After every step the weights are
put on a grid of 2^-16: a linear algebra library that adds in another order differs by 1e-15, which the grid swallows
instead of letting thousands of steps multiply it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from carpal.spatial import Array

GRID = 2.0**16
DECAY = (0.9, 0.999)
SMALL = 1e-8
LAST = 0.03
"""Share of the step that is left at the end of training."""

Layers = list[tuple[Array, Array]]


def on_grid(values: Array) -> Array:
    """The nearest numbers of the grid."""
    return np.round(values * GRID) / GRID


def new_layers(rng: np.random.Generator, sizes: tuple[int, ...]) -> Layers:
    """Random layers (He et al. 2015): weights (in, out) and offsets (out)."""
    return [(on_grid(rng.standard_normal((a, b)) * np.sqrt(2.0 / a)), np.zeros(b)) for a, b in pairwise(sizes)]


def logits(layers: Layers, x: Array) -> Array:
    """Scores (*batch, classes) of features (*batch, in), not yet normalised."""
    for k, (weights, offset) in enumerate(layers):
        x = x @ weights + offset
        if k < len(layers) - 1:
            x = np.maximum(x, 0.0)
    return np.asarray(x)


def softmax(scores: Array) -> Array:
    """Probabilities (*batch, classes)."""
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def gradient(layers: Layers, x: Array, label: np.ndarray) -> Layers:
    """Slope of the mean cross-entropy of labels (n) on features (n, in), layer by layer."""
    kept = [x]
    for k, (weights, offset) in enumerate(layers):
        x = x @ weights + offset
        if k < len(layers) - 1:
            x = np.maximum(x, 0.0)
        kept.append(x)
    back = softmax(x)
    back[np.arange(len(label)), label] -= 1.0
    back /= len(label)
    out: Layers = []
    for k in range(len(layers) - 1, -1, -1):
        out.append((kept[k].T @ back, back.sum(0)))
        back = (back @ layers[k][0].T) * (kept[k] > 0)
    return out[::-1]


def train_layers(
    x: Array, label: np.ndarray, sizes: tuple[int, ...], *, seed: int, epochs: int, batch: int, rate: float
) -> Layers:
    """Layers trained on features (n, in) and labels (n).

    Args:
        x, label: what to learn.
        sizes: of the layers, features first, classes last.
        seed: of the first weights and of the order.
        epochs, batch, rate: how often all is seen, how many at a time, the first step.
    """  # fmt: skip
    rng = np.random.default_rng(seed)
    layers = new_layers(rng, sizes)
    slow = [(np.zeros_like(w), np.zeros_like(b)) for w, b in layers]
    square = [(np.zeros_like(w), np.zeros_like(b)) for w, b in layers]
    steps, step = epochs * (len(x) // batch), 0
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for start in range(0, len(x) - batch + 1, batch):
            step += 1
            rows = order[start : start + batch]
            slopes = gradient(layers, x[rows], label[rows])
            size = rate * (1.0 - (1.0 - LAST) * step / steps)
            size *= np.sqrt(1.0 - DECAY[1] ** step) / (1.0 - DECAY[0] ** step)
            for k, pair in enumerate(slopes):
                new = []
                for i, slope in enumerate(pair):
                    slow[k][i][...] = DECAY[0] * slow[k][i] + (1.0 - DECAY[0]) * slope
                    square[k][i][...] = DECAY[1] * square[k][i] + (1.0 - DECAY[1]) * slope**2
                    new.append(on_grid(layers[k][i] - size * slow[k][i] / (np.sqrt(square[k][i]) + SMALL)))
                layers[k] = (new[0], new[1])
    return layers


def best_temperature(scores: Array, label: np.ndarray) -> float:
    """What scores (n, classes) have to be divided by for the likeliest labels (Guo et al. 2017), by golden section."""

    def cost(log_t: float) -> float:
        p = softmax(scores / np.exp(log_t))
        return float(-np.log(np.maximum(p[np.arange(len(label)), label], 1e-300)).mean())

    low, high, ratio = np.log(0.2), np.log(10.0), (np.sqrt(5.0) - 1.0) / 2.0
    while high - low > 1e-3:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if cost(a) < cost(b) else (a, high)
    return float(on_grid(np.exp(np.asarray(0.5 * (low + high)))))
