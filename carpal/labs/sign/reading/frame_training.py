"""Training of a frame reader on recorded hands: copies that are stretched, turned and mirrored, simulated hands, and non-letters.

Non-letters are the middles of straight lines between recorded frames of two letters, and simulated hands that show none.
One recipe and one seed give one file, as in `training`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.files.alphabet import Alphabet
from carpal.labs.sign.reading.alphabet_signs import human_signs
from carpal.labs.sign.reading.filming import drawn_views
from carpal.labs.sign.reading.frame_features import FRAME_FEATURES, frame_features, mirror, unit_frames
from carpal.labs.sign.reading.frame_reader import FrameReader
from carpal.labs.sign.reading.network import best_temperature, on_grid, train_layers
from carpal.labs.sign.reading.recordings import Recordings, blocks
from carpal.labs.sign.reading.sign_source import NON_LETTERS, HumanSigns
from carpal.labs.sign.reading.training import drawn_non_letters
from carpal.perception import to_camera
from carpal.spatial import Array, rotation_from_rpy

LEAST_FRAMES = 20
"""Of every letter, to learn from."""
HELD_BACK = 10
"""Every so many blocks, one calibrates and is not trained on."""


@dataclass(frozen=True)
class FrameRecipe:
    """How a frame reader is trained.

    Args:
        seed: of everything that is drawn.
        copies: changed copies of every recorded frame, each on a line through it and another frame of its letter.
        beyond: how far such a line goes on beyond the two, in shares of their difference.
        between: non-letters between two recorded letters, as a share of the copies; middle: the part of the way they take.
        simulated: simulated letters, and half as many simulated non-letters.
        stretch: largest logarithm of the aspect; tilt, view: [rad] in the picture and out of it; depth: largest logarithm of z.
        bones: spread of the lengths of bones; noise: of landmarks, in shares of the hand.
        hidden: units of the inner layers.
        epochs, batch, rate: of the training.
        least: probability below which a letter is rejected.
    """

    seed: int = 31
    copies: int = 8
    beyond: float = 0.8
    between: float = 0.6
    middle: tuple[float, float] = (0.35, 0.65)
    simulated: int = 8_000
    stretch: float = 0.35
    tilt: float = 0.35
    view: float = 0.25
    depth: float = 0.35
    bones: float = 0.08
    noise: float = 0.015
    hidden: tuple[int, ...] = (96, 48)
    epochs: int = 14
    batch: int = 256
    rate: float = 2e-3
    least: float = 0.5


def changed_copies(rng: np.random.Generator, frames: Array, recipe: FrameRecipe) -> Array:
    """Frames (n, 21, 3) as another hand, another camera and another picture would show them."""
    n = len(frames)
    p = frames - frames[:, :1]
    moves = p[:, 1:] - p[:, [0 if k % 4 == 1 else k - 1 for k in range(1, 21)]]
    moves *= rng.uniform(1.0 - recipe.bones, 1.0 + recipe.bones, (n, 20))[..., None]
    p = np.concatenate([p[:, :1], moves.reshape(n, 5, 4, 3).cumsum(2).reshape(n, 20, 3)], 1)
    p[:, :, 2] *= np.exp(rng.uniform(-recipe.depth, recipe.depth, (n, 1)))
    roll = rng.uniform(-recipe.tilt, recipe.tilt, n)
    pitch, yaw = rng.uniform(-recipe.view, recipe.view, (2, n))
    p = p @ np.swapaxes(rotation_from_rpy(np.stack([pitch, yaw, roll], -1)), 1, 2)
    p[:, :, 0] *= np.exp(rng.uniform(-recipe.stretch, recipe.stretch, (n, 1)))
    p = unit_frames(p)
    p += recipe.noise * rng.uniform(0.0, 1.0, (n, 1, 1)) * rng.standard_normal(p.shape)
    return np.where(rng.random(n)[:, None, None] < 0.5, mirror(p), p)


def along_letters(
    rng: np.random.Generator, points: Array, labels: np.ndarray, copies: int, beyond: float
) -> tuple[Array, np.ndarray]:
    """Frames (copies n, 21, 3) on lines through two frames of one letter, and their labels."""
    p = unit_frames(points)
    a = np.repeat(np.arange(len(p)), copies)
    b = a.copy()
    for label in np.unique(labels):
        rows = labels[a] == label
        b[rows] = rng.choice(np.flatnonzero(labels == label), rows.sum())
    share = rng.uniform(-beyond, 1.0 + beyond, (len(a), 1, 1))
    return p[a] + share * (p[b] - p[a]), labels[a]


def between_frames(
    rng: np.random.Generator, points: Array, labels: np.ndarray, count: int, middle: tuple[float, float]
) -> Array:
    """Frames (count, 21, 3) on the straight line between two recorded frames of different letters."""
    p = unit_frames(points)
    a, b = rng.integers(0, len(p), (2, 3 * count + 100))
    pairs = np.flatnonzero(labels[a] != labels[b])[:count]
    share = rng.uniform(*middle, (len(pairs), 1, 1))
    return (1.0 - share) * p[a[pairs]] + share * p[b[pairs]]


def simulated_frames(rng: np.random.Generator, source: HumanSigns, count: int) -> tuple[Array, np.ndarray]:
    """Image landmarks (n, 21, 3) of simulated people and labels (n); two parts in three are letters, the rest non-letters (-1).

    Letters that one frame does not tell from others (`brief`) are left out.
    """
    which = rng.choice(np.flatnonzero(source.brief == np.arange(len(source.names))), count)
    shapes, palms, label = [source.letters(rng, which)], [source.palms[which]], [which]
    each = count // (2 * len(NON_LETTERS))
    for kind in NON_LETTERS:
        if each:
            found, palm = drawn_non_letters(source, rng, each, kind, 1)
            shapes, palms = [*shapes, found[:, 0]], [*palms, palm[:, 0]]
            label.append(np.full(each, -1))
    points, R = np.concatenate(shapes), np.concatenate(palms)
    seen = to_camera(points @ np.swapaxes(drawn_views(rng, len(points), 0.3) @ R, 1, 2))
    away = rng.uniform(0.35, 1.0, (len(seen), 1))
    flat = seen[..., :2] / (away + seen[..., 2])[..., None]
    return np.concatenate([flat, (seen[..., 2] / away)[..., None]], -1), np.concatenate(label)


def train_frame_reader(
    recordings: Recordings,
    alphabet: Alphabet | None = None,
    recipe: FrameRecipe | None = None,
    progress: Callable[[float], None] | None = None,
) -> FrameReader:
    """A reader of single frames of real hands.

    Args:
        recordings: of real hands with their letters.
        alphabet: whose letters simulated hands show besides; none by default.
        recipe: how to train.
        progress: called with the share that is done.
    """
    recipe = recipe or FrameRecipe()
    names, labels = recordings.names, recordings.labels()
    few = [name for k, name in enumerate(names) if (labels == k).sum() < LEAST_FRAMES]
    if few or len(names) < 2:
        raise InputError(
            f"training needs two letters and {LEAST_FRAMES} frames of each; too few: {', '.join(few) or names}."
        )
    if np.isnan(recordings.points).any():
        raise InputError("recordings to learn from must show a hand in every frame.")
    rng = np.random.default_rng([recipe.seed, 0])
    calibrates = blocks(labels, 2 * HELD_BACK) % HELD_BACK == rng.integers(0, HELD_BACK)
    parts = (~calibrates, calibrates)
    tried, held = (_drawn(rng, recordings.points[rows], labels[rows], recipe, names, alphabet) for rows in parts)
    if progress:
        progress(0.3)
    x, y = tried
    centre, width = on_grid(x.mean(0)), on_grid(np.maximum(x.std(0), 1e-2))
    sizes = (FRAME_FEATURES, *recipe.hidden, len(names) + 1)
    layers = train_layers(
        (x - centre) / width, y, sizes, seed=recipe.seed, epochs=recipe.epochs, batch=recipe.batch, rate=recipe.rate
    )
    found = FrameReader(names, centre, width, layers, 1.0, dataclasses.asdict(recipe))
    temperature = best_temperature(found.scores_of_features(held[0]), held[1])
    if progress:
        progress(1.0)
    return dataclasses.replace(found, temperature=temperature)


def _drawn(
    rng: np.random.Generator, points: Array, labels: np.ndarray, recipe: FrameRecipe, names: tuple[str, ...],
    alphabet: Alphabet | None,
) -> tuple[Array, np.ndarray]:  # fmt: skip
    """Features and labels; the label of non-letters is the number of letters."""
    none = len(names)
    letters, which = along_letters(rng, points, labels, recipe.copies, recipe.beyond)
    frames, label = [changed_copies(rng, letters, recipe)], [which]
    others = between_frames(rng, points, labels, int(recipe.between * len(letters)), recipe.middle)
    frames.append(changed_copies(rng, others, dataclasses.replace(recipe, noise=0.5 * recipe.noise)))
    label.append(np.full(len(others), none))
    if alphabet is not None and recipe.simulated:
        source = human_signs(alphabet)
        seen, which = simulated_frames(rng, source, recipe.simulated)
        known = np.array([names.index(name) if name in names else none for name in (*source.names, "")])
        frames.append(changed_copies(rng, seen, recipe))
        label.append(np.where(which < 0, none, known[which]))
    return np.concatenate([frame_features(part) for part in frames]), np.concatenate(label)
