"""Training of a recogniser on simulated signs: one recipe, one seed, one file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.reading.filming import SIGN_FRAMES, drawn_views, filmed, palm_motions
from carpal.labs.sign.reading.network import best_temperature, logits, on_grid, train_layers
from carpal.labs.sign.reading.recogniser import Recogniser
from carpal.labs.sign.reading.sign_features import FEATURES, sign_features
from carpal.labs.sign.reading.sign_source import NON_LETTERS, SignSource
from carpal.spatial import Array

WINDOWS = (1, 1, 3, 6, 12, SIGN_FRAMES, SIGN_FRAMES, SIGN_FRAMES)
"""Frames of the signs that are trained on, in equal parts."""
CHUNK = 500
HELD_BACK = 0.1
"""Share of the signs that calibrates and is not trained on."""


@dataclass(frozen=True)
class Recipe:
    """How a recogniser is trained.

    Args:
        seed: of everything that is drawn.
        signs: how many; others: share of non-letters among them.
        noise: [m] least and largest standard deviation of landmarks.
        steady: largest share of the noise's variance that stays through a sign.
        view: [rad] of the viewpoint.
        hidden: units of the inner layers.
        epochs, batch, rate: of the training.
    """

    seed: int = 15
    signs: int = 72_000
    others: float = 0.30
    noise: tuple[float, float] = (0.002, 0.006)
    steady: float = 1.0
    view: float = 0.55
    hidden: tuple[int, ...] = (96, 48)
    epochs: int = 24
    batch: int = 128
    rate: float = 2e-3


def drawn_signs(
    source: SignSource, rng: np.random.Generator, count: int, recipe: Recipe, frames: int
) -> tuple[Array, np.ndarray]:
    """Signs (count, frames, 21, 3) [m] and labels (count); the label of non-letters is the number of letters."""
    L = len(source.names)
    which = rng.integers(0, L, count)
    none = rng.random(count) < recipe.others
    shapes = source.letters(rng, which)
    palms = source.palms[which].copy()
    shapes, palms = (np.repeat(part[:, None], frames, 1) for part in (shapes, palms))
    kind = rng.integers(0, len(NON_LETTERS), count)
    for k, name in enumerate(NON_LETTERS):
        rows = np.flatnonzero(none & (kind == k))
        if len(rows):
            shapes[rows], palms[rows] = drawn_non_letters(source, rng, len(rows), name, frames)
    motion = np.where(none, -1, which)
    turned = palm_motions(rng, source.paths, motion, frames)
    views = drawn_views(rng, count, recipe.view)
    R = views[:, None] @ palms @ turned
    noise, steady = rng.uniform(*recipe.noise, count), rng.uniform(0.0, recipe.steady, count)
    seen = filmed(rng, shapes, R, noise, steady)
    label = which if frames >= SIGN_FRAMES // 2 else source.brief[which]
    return seen, np.where(none, L, label)


def drawn_non_letters(
    source: SignSource, rng: np.random.Generator, count: int, kind: str, frames: int
) -> tuple[Array, Array]:
    """Landmarks (count, frames, 21, 3) [m] in the palm's frame and palms (count, frames, 3, 3) of non-letters of a kind."""
    if kind == "moving":
        return source.transitions(rng, count, frames)
    shapes, palms = source.others(rng, count, kind)
    return np.repeat(shapes[:, None], frames, 1), np.repeat(palms[:, None], frames, 1)


def train_recogniser(
    source: SignSource, recipe: Recipe | None = None, progress: Callable[[float], None] | None = None
) -> Recogniser:
    """A recogniser of the letters of a source.

    Args:
        source: what signs look like.
        recipe: how to train.
        progress: called with the share of signs that are drawn, which is half of the time.
    """
    recipe = recipe or Recipe()
    if recipe.signs < 20 * CHUNK // len(WINDOWS) or recipe.epochs < 1:
        raise InputError(
            f"training needs at least {20 * CHUNK // len(WINDOWS)} signs and one epoch; got {recipe.signs}."
        )
    rng = np.random.default_rng([recipe.seed, 0])
    features, labels = [], []
    left, k = recipe.signs, 0
    while left > 0:
        seen, label = drawn_signs(source, rng, min(CHUNK, left), recipe, WINDOWS[k % len(WINDOWS)])
        features.append(sign_features(seen))
        labels.append(label)
        left, k = left - len(label), k + 1
        if progress:
            progress(0.5 * (1.0 - left / recipe.signs))
    x, y = np.concatenate(features), np.concatenate(labels)
    order = rng.permutation(len(x))
    kept = int(HELD_BACK * len(x))
    rest, held = order[kept:], order[:kept]
    centre, width = on_grid(x[rest].mean(0)), on_grid(np.maximum(x[rest].std(0), 1e-3))
    x = (x - centre) / width
    sizes = (FEATURES, *recipe.hidden, len(source.names) + 1)
    layers = train_layers(
        x[rest], y[rest], sizes, seed=recipe.seed, epochs=recipe.epochs, batch=recipe.batch, rate=recipe.rate
    )
    temperature = best_temperature(logits(layers, x[held]), y[held])
    return Recogniser(tuple(source.names), centre, width, layers, temperature, dataclasses.asdict(recipe))
