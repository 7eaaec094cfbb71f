"""Confusion of letters by touch: distances, a confusion matrix, clearer variants.

The distance of two letters is the root mean square difference of what is felt, over all that either touches, at the
placement of the palm that makes them most alike, in just noticeable differences. Confusions follow the choice rule of
Shepard and Luce: a letter is taken for another in proportion to exp(-distance). The numbers of the skin are assumed and
no person was asked, so the order of the pairs means more than their percentages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.contact import collision_checker
from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files.alphabet import Alphabet
from carpal.labs.sign.hand.letters import HandLetter
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.labs.sign.reading.recogniser import Recogniser
from carpal.labs.sign.reading.recognition import robot_frames
from carpal.labs.sign.touch.surface_map import STEP, Skin, letter_touch
from carpal.spatial import Array

FELT = 1e-4
"""[m] above which a place counts as touched."""
VIEWS, SURE = 4, 0.9
"""Viewpoints from which a variant must still be read as its letter, and how surely."""


@dataclass(frozen=True, eq=False)
class TouchResult(Result):
    """Letters by touch.

    Args:
        names: of the letters.
        distance: (L, L) in just noticeable differences.
        confusion: (L, L) probability that the row's letter is taken for the column's.
    """

    names: tuple[str, ...]
    distance: Array
    confusion: Array

    def worst(self, count: int = 10) -> list[tuple[str, str, float, float]]:
        """Pairs most alike: names, distance, probability that the first is taken for the second or the reverse (mean)."""
        i, j = np.triu_indices(len(self.names), 1)
        order = np.argsort(self.distance[i, j], kind="stable")[:count]
        return [
            (
                self.names[a], self.names[b], float(self.distance[a, b]),
                float(0.5 * (self.confusion[a, b] + self.confusion[b, a])),
            )
            for a, b in zip(i[order], j[order], strict=True)
        ]  # fmt: skip

    @property
    def ok(self) -> bool:
        """Whether every letter is felt as itself more often than as anything else."""
        return bool((np.argmax(self.confusion, 1) == np.arange(len(self.names))).all())

    @property
    def status(self) -> str:
        """One sentence."""
        a, b, away, share = self.worst(1)[0]
        right = float(np.diag(self.confusion).mean())
        return (
            f"{len(self.names)} letters are felt right in {100 * right:.0f} % (assumed skin); {a} and {b} are most alike, "
            f"{away:.1f} just noticeable differences, confused in {100 * share:.0f} %."
        )


def touch_distance(a: Array, b: Array, skin: Skin) -> float:
    """Just noticeable differences of two touches (moments, sides, n, n), at the placements that make them most alike."""
    steps = round(skin.shift / STEP)
    touched = np.any((a > FELT) | (b > FELT), axis=(0, 1))
    rows, columns = np.flatnonzero(touched.any(1)), np.flatnonzero(touched.any(0))
    if not len(rows):
        return 0.0
    # what neither touches says nothing; a border as wide as the shift keeps what is moved from coming round
    part = (
        slice(max(rows[0] - steps, 0), rows[-1] + steps + 1),
        slice(max(columns[0] - steps, 0), columns[-1] + steps + 1),
    )
    total, area = 0.0, 0.0
    for side in range(a.shape[1]):
        one, two = a[:, side, *part], b[:, side, *part]
        best, size = np.inf, 1.0
        for di in range(-steps, steps + 1):
            for dj in range(-steps, steps + 1):
                moved = np.roll(two, (di, dj), (1, 2))
                gap = float(((one - moved) ** 2).sum())
                if gap < best:
                    best, size = gap, max(float(((one > FELT) | (moved > FELT)).sum()), 1.0)
        total, area = total + best, area + size
    return float(np.sqrt(total / area)) / skin.jnd


def confusions(distance: Array) -> Array:
    """(L, L) probabilities of the choice rule."""
    alike = np.exp(-distance)
    return np.asarray(alike / alike.sum(1, keepdims=True))


def touch_matrix(
    hand: SignHand, alphabet: Alphabet, shown: Mapping[str, HandLetter], skin: Skin | None = None
) -> TouchResult:
    """How alike the letters of a hand are to the touch."""
    skin = skin or Skin()
    names = tuple(shown)
    if len(names) < 2:
        raise InputError(f"comparing letters by touch needs at least two; got {len(names)}.")
    maps = [letter_touch(hand, alphabet, shown[name].letter.right, shown[name].commands, skin) for name in names]
    distance = np.zeros((len(names), len(names)))
    for i in range(len(names)):
        for j in range(i):
            distance[i, j] = distance[j, i] = touch_distance(maps[i], maps[j], skin)
    return TouchResult(names, distance, confusions(distance))


@dataclass(frozen=True, eq=False)
class Variant(Result):
    """A clearer way to show a letter.

    Args:
        letter: its name.
        commands: (n) of the hand.
        before, after: just noticeable differences to the letter that is most alike, as it was and as it is now.
        rival: that letter now.
        confidence: least with which it is still read as its letter.
        distance: [m] of the nearest two parts of the hand.
        tried: how many shapes.
    """

    letter: str
    commands: Array
    before: float
    after: float
    rival: str
    confidence: float
    distance: float
    tried: int

    @property
    def ok(self) -> bool:
        """Whether it is clearer than what was."""
        return self.after > self.before

    @property
    def status(self) -> str:
        """One sentence."""
        if not self.ok:
            return f"no clearer '{self.letter}' was found among {self.tried} shapes; it stays at {self.before:.2f}."
        return (
            f"'{self.letter}' can be {self.after:.2f} instead of {self.before:.2f} just noticeable differences from its "
            f"nearest letter ({self.rival}), still read with {self.confidence:.2f}."
        )


def clearer_variant(
    hand: SignHand,
    alphabet: Alphabet,
    shown: Mapping[str, HandLetter],
    letter: str,
    reader: Recogniser,
    *,
    seed: int = 0,
    tries: int = 60,
    reach: float = 0.15,
    apart: float = 0.003,
    skin: Skin | None = None,
) -> Variant:
    """Search for commands of a letter that are felt more unlike its nearest letter.

    A random walk that only goes uphill: every shape stays in the limits of the hand, keeps its parts apart, and is still read
    as the letter from several viewpoints.

    Args:
        hand, alphabet, shown: who shows what, as of `letters_of`.
        letter: to be made clearer.
        reader: that must still read it; it must know this hand.
        seed: of the walk and of the viewpoints.
        tries: shapes to try.
        reach: largest change of a command, in shares of its range, at first.
        apart: [m] between the parts of the hand.
        skin: that feels.
    """  # fmt: skip
    if letter not in shown:
        raise unknown_name(f"letter that '{hand.driver.name}' shows", letter, shown)
    if tries < 1:
        raise InputError(f"a search needs at least one try; got {tries}.")
    skin, checker = skin or Skin(), collision_checker(hand.model)
    one = shown[letter]
    rivals = {
        name: letter_touch(hand, alphabet, other.letter.right, other.commands, skin)
        for name, other in shown.items()
        if name != letter
    }

    def nearest(commands: Array) -> tuple[float, str]:
        own = letter_touch(hand, alphabet, one.letter.right, commands, skin)
        return min((touch_distance(own, other, skin), name) for name, other in rivals.items())

    def confidence(commands: Array) -> float:
        at = HandLetter(one.letter, commands, 0.0, 0.0, 0.0)
        seen = [reader.recognise(robot_frames(hand, at, alphabet, seed=seed + k)) for k in range(VIEWS)]
        return min(reading.scores[letter] if reading.letter == letter else 0.0 for reading in seen)

    rng = np.random.default_rng([seed, 79])
    free = np.array([i not in hand.wrist for i in range(len(hand.commands))])
    best, (before, rival) = one.commands.copy(), nearest(one.commands)
    after, sure, step = before, confidence(one.commands), reach
    for _ in range(tries):
        move = step * (hand.high - hand.low) * rng.uniform(-1, 1, len(best)) * (rng.random(len(best)) < 0.4) * free
        tried = np.clip(best + move, hand.low, hand.high)
        if float(checker.distance(hand.joints(tried)).distance) < apart or (now := confidence(tried)) < SURE:
            step = max(0.97 * step, 0.02)
            continue
        away, other = nearest(tried)
        if away > after:
            best, after, rival, sure = tried, away, other, now
    distance = float(checker.distance(hand.joints(best)).distance)
    return Variant(letter, best, before, after, rival, sure, distance, tries)
