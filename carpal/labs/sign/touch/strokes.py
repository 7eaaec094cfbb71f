"""Letters of touch as timed paths of fingertips on a hand, and letters read from such paths.

Letters are parted by pauses; a letter is read by comparing its touches with those of every letter of the alphabet on the same
hand, in units of the palm's length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.sign.files.touch_alphabet import TouchAlphabet, TouchLetter
from carpal.spatial import Array

RATE = 100.0
"""[1/s] samples."""
TAP, BETWEEN, PAUSE, WORD = 0.12, 0.10, 0.35, 0.9
"""[s] of a tap, between two touches of a letter, between letters, between words."""
STROKE_SPEED = 0.25
"""[m/s] of a fingertip on the skin."""
SIDE, THICK, ROUND = 0.014, 0.006, 0.018
"""[m] between fingers side by side, from the middle of a finger to its skin, radius of a circle."""
SAMPLES = 12
FARTHEST = 0.35
"""Of the palm's length: touches farther from every letter on average are none."""
FINGERS = 4


@dataclass(frozen=True, eq=False)
class TouchPath:
    """Fingertips over time.

    Args:
        time: (m) [s].
        points: (m, 4, 3) [m] of the fingertips, NaN where one does not touch.
    """

    time: Array
    points: Array


def checked_hand(hand: ArrayLike) -> Array:
    """Landmarks (21, 3) [m] of a hand that can be touched."""
    out = np.asarray(hand, float)
    if out.shape != (21, 3) or not np.isfinite(out).all():
        raise InputError(f"a hand is 21 finite landmarks (21, 3); got shape {out.shape}.")
    if np.linalg.norm(np.cross(out[5] - out[0], out[17] - out[0])) < 1e-6:
        raise InputError("the hand's palm has no width: wrist, index and little base lie on one line.")
    return out


def touch_path(alphabet: TouchAlphabet, text: str, hand: ArrayLike) -> TouchPath:
    """The fingertips' path that spells a text on a hand.

    Args:
        alphabet: of touch.
        text: to spell.
        hand: (21, 3) landmarks [m].
    """
    at = checked_hand(hand)
    rows: list[Array] = []
    for name in alphabet.spell(text):
        rows.append(
            _quiet(WORD) if name == " " else np.concatenate([*_touches(alphabet.letters[name], at), _quiet(PAUSE)])
        )
    points = np.concatenate(rows)
    return TouchPath(np.arange(len(points)) / RATE, points)


def read_touch_path(alphabet: TouchAlphabet, path: TouchPath, hand: ArrayLike) -> tuple[str, ...]:
    """The letters of a path, " " for a pause between words, "" where no letter is near."""
    at = checked_hand(hand)
    size = float(np.linalg.norm(at[9] - at[0]))
    known = {name: _parted(np.concatenate(_touches(letter, at))) for name, letter in alphabet.letters.items()}
    out: list[str] = []
    for piece, quiet in _pieces(path.points):
        parts = _parted(piece)
        costs = {name: _apart(parts, other) / size for name, other in known.items()}
        best = min(costs, key=lambda name: costs[name])
        out.append(best if costs[best] <= FARTHEST else "")
        if quiet > 0.5 * (PAUSE + WORD + BETWEEN):
            out.append(" ")
    return tuple(out[:-1] if out and out[-1] == " " else out)


def _quiet(duration: float) -> Array:
    return np.full((round(duration * RATE), FINGERS, 3), np.nan)


def _axes(hand: Array) -> tuple[Array, Array, Array]:
    """Unit vectors: across the palm to the little finger, along the fingers, out of the palm."""
    along = hand[9] - hand[0]
    along = along / np.linalg.norm(along)
    across = hand[17] - hand[5]
    across = across - (across @ along) * along
    across = across / np.linalg.norm(across)
    return across, along, np.cross(across, along)


def _touches(letter: TouchLetter, hand: Array) -> list[Array]:
    """Samples (m, 4, 3) of each touch of a letter, pauses between them included."""
    at = letter.weights @ hand
    across, along, out = _axes(hand)
    still = np.ones((round(TAP * RATE), 1))
    if letter.how == "stroke":
        single = [_line(at[0], at[1])]
    elif letter.how == "circle":
        turn = np.linspace(0, 2 * np.pi, round(2 * np.pi * ROUND / STROKE_SPEED * RATE))[:, None]
        single = [at[0] + ROUND * (np.cos(turn) * across + np.sin(turn) * along)]
    elif letter.how == "cross":
        single = [_line(at[0], at[1]), _line(at[2], at[3])]
    else:
        single = [still * at[0]]
    samples = []
    for one in single * letter.times:
        block = np.full((len(one), FINGERS, 3), np.nan)
        if letter.how == "pinch":
            block[:, 0], block[:, 1] = one + THICK * out, one - THICK * out
        elif letter.how == "squeeze":
            gap = (at[0] - at[1]) / max(float(np.linalg.norm(at[0] - at[1])), 1e-9)
            block[:, 0], block[:, 1] = still * (at[0] + THICK * gap), still * (at[1] - THICK * gap)
        elif letter.how == "drum":
            for k in range(letter.fingers):
                begin = k * len(one) // (letter.fingers + 1)
                block[begin : begin + 2 * len(one) // (letter.fingers + 1), k] = one[0] + (k - 1.5) * SIDE * across
        else:
            for k in range(letter.fingers):
                block[:, k] = one + (k - 0.5 * (letter.fingers - 1)) * SIDE * across
        samples += [block, _quiet(BETWEEN)]
    return samples[:-1]


def _line(a: Array, b: Array) -> Array:
    steps = max(2, round(float(np.linalg.norm(b - a)) / STROKE_SPEED * RATE))
    return a + np.linspace(0, 1, steps)[:, None] * (b - a)


def _pieces(points: Array) -> list[tuple[Array, float]]:
    """Rows of each letter, and [s] of the pause after it."""
    if points.ndim != 3 or points.shape[1:] != (FINGERS, 3):
        raise InputError(f"a path of touches is (m, {FINGERS}, 3); got shape {points.shape}.")
    rows = np.flatnonzero(np.isfinite(points).all(-1).any(-1))
    if not len(rows):
        return []
    cuts = np.flatnonzero(np.diff(rows) > 0.5 * (BETWEEN + PAUSE) * RATE)
    begins, ends = rows[np.append(0, cuts + 1)], rows[np.append(cuts, len(rows) - 1)] + 1
    pauses = np.append(begins[1:] - ends[:-1], 0) / RATE
    return [(points[a:b], float(quiet)) for a, b, quiet in zip(begins, ends, pauses, strict=True)]


def _parted(points: Array) -> list[tuple[int, float, Array]]:
    """Each touch of a letter: fingers, how unlike in time they are, and the path (SAMPLES, 2, 3) of the outermost two."""
    there = np.asarray(np.isfinite(points).all(-1))
    any_there = there.any(1)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], any_there.astype(int), [0]])))
    out = []
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        used = np.flatnonzero(there[a:b].any(0))
        paths = []
        for finger in (used[0], used[-1]):
            rows = a + np.flatnonzero(there[a:b, finger])
            pick = np.round(np.linspace(0, len(rows) - 1, SAMPLES)).astype(int)
            paths.append(points[rows[pick], finger])
        spread = 1.0 - float(there[a:b][:, used].mean())
        out.append((len(used), spread, np.stack(paths, 1)))
    return out


def _apart(one: Sequence[tuple[int, float, Array]], other: Sequence[tuple[int, float, Array]]) -> float:
    """[m] between two letters: the mean of their paths, and what differs in kind as half a palm each."""
    if len(one) != len(other):
        return np.inf
    total = 0.0
    for (n, spread, a), (m, wide, b) in zip(one, other, strict=True):
        if n != m:
            return np.inf
        total += float(np.linalg.norm(a - b, axis=-1).mean()) + (0.1 * abs(spread - wide))
    return total / len(one)
