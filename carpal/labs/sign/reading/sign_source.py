"""Sources of training signs: letters shown by simulated people, and non-letters.

Non-letters are defined by angles, not by what a recogniser makes of them: at least APART at one joint from every letter of
that palm direction. Four kinds in equal parts: random handshapes (half of them with every finger open, half bent or closed),
handshapes half-way between two letters, handshapes of letters in a palm direction in which they mean nothing, and hands that
are moving from one letter to another in the middle of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from carpal.errors import InputError
from carpal.perception import CHANNELS, CUP, OPPOSITION, SPREAD, Proportions, hand_landmarks
from carpal.spatial import Array, rotation_from_vector, rotation_vector

APART = np.radians(30.0)
"""[rad] at one joint that make a handshape no letter."""
NON_LETTERS = ("random", "half-way", "palm", "moving")
MOST_ROUNDS = 200
TRANSITION_FRAMES = (8.0, 20.0)
"""Frames of a transition from one letter to the next."""
CHANNEL_RANGE = np.radians([40.0, 70.0, *[90.0, 100.0] * 4, *[15.0] * 5, 90.0, 25.0])
"""[rad] that a channel's 1 means, for distances between handshapes."""
HABIT, SLOPPY = 0.05, 0.03
"""Standard deviations of a person's habit with a letter and of a single showing, in channels (1 is fully bent)."""


class SignSource(Protocol):
    """Signs that can be drawn.

    Args:
        names: of the letters.
        palms: (L, 3, 3) their palm directions.
        paths: L motions (k, 3, 3) of the palm, a single identity for letters that stand.
        brief: (L) the letter that a short view of each letter shows: itself, or the static one of the same shape (J begins as
            I, and a single moment cannot distinguish them).
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Of the letters."""
        ...

    @property
    def palms(self) -> Array:
        """Palm directions of the letters."""
        ...

    @property
    def paths(self) -> Sequence[Array]:
        """Motions of the letters."""
        ...

    @property
    def brief(self) -> np.ndarray:
        """Letters that short views show."""
        ...

    def letters(self, rng: np.random.Generator, which: np.ndarray) -> Array:
        """Landmarks (n, 21, 3) [m] in the palm's frame of letters which (n), each drawn independently."""
        ...

    def others(self, rng: np.random.Generator, count: int, kind: str) -> tuple[Array, Array]:
        """Landmarks (count, 21, 3) [m] and palms (count, 3, 3) of non-letters that stand."""
        ...

    def transitions(self, rng: np.random.Generator, count: int, frames: int) -> tuple[Array, Array]:
        """Landmarks (count, frames, 21, 3) [m] and palms (count, frames, 3, 3) in the middle of transitions between letters."""
        ...


@dataclass(frozen=True, eq=False)
class HumanSigns:
    """Letters shown by simulated people.

    Args:
        names, palms, paths, brief: as of `SignSource`.
        channels: (L, 17) of the letters.
        kind: of the hands' kinematics.
        spread, bending: of their proportions and of their ranges of bending.
    """

    names: tuple[str, ...]
    palms: Array
    paths: Sequence[Array]
    brief: np.ndarray
    channels: Array
    kind: str = "anatomical"
    spread: float = 0.10
    bending: float = 0.18

    def _hands(self, rng: np.random.Generator, count: int) -> Proportions:
        return Proportions.drawn(rng, count, self.spread, self.bending)

    def letters(self, rng: np.random.Generator, which: np.ndarray) -> Array:
        """Landmarks (n, 21, 3) [m] of letters which (n), each by another person."""
        c = self.channels[which] + np.hypot(HABIT, SLOPPY) * rng.standard_normal((len(which), CHANNELS))
        return hand_landmarks(limited(c), self._hands(rng, len(which)), self.kind)

    def others(self, rng: np.random.Generator, count: int, kind: str) -> tuple[Array, Array]:
        """Landmarks and palms of non-letters, each by another person."""
        c, palms = non_letters(rng, self.channels, CHANNEL_RANGE, self.palms, count, kind, random_channels)
        c = limited(c + SLOPPY * rng.standard_normal(c.shape))
        return hand_landmarks(c, self._hands(rng, count), self.kind), palms

    def transitions(self, rng: np.random.Generator, count: int, frames: int) -> tuple[Array, Array]:
        """Landmarks and palms of people on their way from one letter to another."""
        c, palms = between_letters(rng, self.channels, CHANNEL_RANGE, self.palms, count, frames)
        c = limited(c + np.hypot(HABIT, SLOPPY) * rng.standard_normal((count, 1, CHANNELS)))
        hands = self._hands(rng, count).repeated(frames)
        points = hand_landmarks(c.reshape(-1, CHANNELS), hands, self.kind)
        return points.reshape(count, frames, *points.shape[1:]), palms


def between_letters(
    rng: np.random.Generator, letters: Array, ranges: Array, palms: Array, count: int, frames: int
) -> tuple[Array, Array]:
    """Settings (count, frames, A) and palms (count, frames, 3, 3) of windows in the middle of the way between two letters.

    A transition takes 8 to 20 frames, between letters twice APART at a joint or with other palm directions, whose middle is no
    letter.
    """
    found: list[tuple[int, int]] = []
    for _ in range(MOST_ROUNDS):
        a, b = rng.integers(0, len(letters), (2, max(64, count)))
        turn = rotation_vector(np.swapaxes(palms[a], 1, 2) @ palms[b])
        middle = palms[a] @ rotation_from_vector(0.5 * turn)
        far = np.abs((letters[a] - letters[b]) * ranges).max(-1) >= 2.0 * APART
        far |= np.linalg.norm(turn, axis=-1) > np.radians(60.0)
        free = far & _away(0.5 * (letters[a] + letters[b]), middle, letters, ranges, palms)
        found += list(zip(a[free], b[free], strict=True))
        if len(found) >= count:
            break
    else:
        raise InputError("this alphabet leaves no transitions between letters: every handshape is near to a letter.")
    a, b = np.array(found[:count], int).reshape(-1, 2).T
    length = rng.uniform(*TRANSITION_FRAMES, count)
    t = np.clip(0.5 + (np.arange(frames) + 0.5 - 0.5 * frames) / length[:, None], 0.0, 1.0)
    share = (t * t * (3.0 - 2.0 * t))[..., None]
    turn = rotation_vector(np.swapaxes(palms[a], 1, 2) @ palms[b])
    settings = letters[a][:, None] + share * (letters[b] - letters[a])[:, None]
    return settings, palms[a][:, None] @ rotation_from_vector(share * turn[:, None])


def limited(channels: Array) -> Array:
    """Channels that a hand can show."""
    out = np.clip(channels, -0.05, 1.05)
    out[..., SPREAD] = np.clip(channels[..., SPREAD], -1.0, 1.1)
    return out


def random_channels(rng: np.random.Generator, count: int) -> Array:
    """Random handshapes (count, 17): half of them any bends, half with every finger open, half bent or closed."""
    c = rng.uniform(0.0, 1.0, (count, CHANNELS))
    stepped = np.repeat(rng.integers(0, 3, (count, 5)), 2, axis=1) / 2.0
    plain = rng.random(count) < 0.5
    c[plain, :10] = stepped[plain]
    c[:, SPREAD] = rng.uniform(0.0, 1.0, (count, 1)) * (rng.random((count, 1)) < 0.5)
    c[:, CUP] = 0.0
    c[:, OPPOSITION] = np.where(rng.random(count) < 0.3, 0.0, c[:, OPPOSITION])
    return c


def non_letters(
    rng: np.random.Generator,
    letters: Array,
    ranges: Array,
    palms: Array,
    count: int,
    kind: str,
    random: object,
) -> tuple[Array, Array]:
    """Settings (count, A) and palms (count, 3, 3) of non-letters of a kind.

    Args:
        rng: of the draw.
        letters: (L, A) settings of the letters (channels, joints).
        ranges: (A) [rad] of a setting's 1.
        palms: (L, 3, 3) of the letters.
        count: how many.
        kind: one of NON_LETTERS.
        random: `random(rng, n)` draws settings (n, A).
    """
    if not callable(random):
        raise InputError(f"non_letters: random must be a function that draws settings; got {type(random).__name__}.")
    found, faces = [], []
    have = 0
    for _ in range(MOST_ROUNDS):
        n = max(64, count)
        a, b = rng.integers(0, len(letters), (2, n))
        face = palms[b]
        if kind == "random":
            tried = random(rng, n)
        elif kind == "half-way":
            tried, face = 0.5 * (letters[a] + letters[b]), palms[a]
        else:
            tried = letters[a]
        free = _away(tried, face, letters, ranges, palms)
        found.append(tried[free])
        faces.append(face[free])
        have += int(free.sum())
        if have >= count:
            return np.concatenate(found)[:count], np.concatenate(faces)[:count]
    raise InputError(f"this alphabet leaves no non-letters of the kind '{kind}': every handshape is near to a letter.")


def _away(tried: Array, face: Array, letters: Array, ranges: Array, palms: Array) -> np.ndarray:
    """Whether settings in palms are APART from every letter whose palm is less than 60 degrees away."""
    out = np.ones(len(tried), bool)
    for setting, palm in zip(letters, palms, strict=True):
        turned = 0.5 * (np.einsum("nij,ij->n", face, palm) - 1.0) < np.cos(np.radians(60.0))
        out &= turned | (np.abs((tried - setting) * ranges).max(-1) >= APART)
    return out
