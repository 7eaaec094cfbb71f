"""Training signs of an alphabet, shown by simulated people or by a known robot hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carpal.labs.sign.files.alphabet import Alphabet, Handshape
from carpal.labs.sign.hand.letters import HandLetter
from carpal.labs.sign.hand.parallel_wrist import wrist_rotation
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.labs.sign.reading.robot_landmarks import robot_landmarks
from carpal.labs.sign.reading.sign_source import HumanSigns, between_letters, non_letters
from carpal.spatial import Array

LOOSE = 0.02
"""Standard deviation of a robot's commands, in shares of their ranges."""
SCALE = 0.03
"""By which the size of a known robot's hand is uncertain in a camera's landmarks."""


def channels_of(shape: Handshape) -> Array:
    """(17) channels of a handshape: ten bends, five spreads, opposition, cup."""
    return np.concatenate([shape.bend.ravel(), shape.spread, [shape.opposition, shape.cup]])


def palm_path(alphabet: Alphabet, shape: Handshape) -> Array:
    """(k, 3, 3) turns of the palm in a letter's motion, from the letter and back to it; one identity where it stands."""
    if not shape.motion:
        return np.eye(3)[None]
    angles = np.vstack([np.zeros(3), alphabet.motions[shape.motion], np.zeros(3)])
    first = wrist_rotation(shape.wrist)
    return np.asarray(first.T @ wrist_rotation(shape.wrist + angles))


def _place(alphabet: Alphabet, names: Sequence[str]) -> tuple[Array, list[Array], np.ndarray]:
    """Palms (L, 3, 3), motions, and the letter that a short view of each letter shows."""
    shapes = [alphabet.letters[name].right for name in names]
    palms = np.array([alphabet.palms[shape.palm] @ wrist_rotation(shape.wrist) for shape in shapes])
    channels = np.array([channels_of(shape) for shape in shapes])
    brief = np.arange(len(names))
    for i, shape in enumerate(shapes):
        for j, other in enumerate(shapes):
            if (
                shape.motion
                and not other.motion
                and np.allclose(channels[i], channels[j])
                and np.allclose(palms[i], palms[j])
            ):
                brief[i] = j
    return palms, [palm_path(alphabet, shape) for shape in shapes], brief


def human_signs(
    alphabet: Alphabet, kind: str = "anatomical", spread: float = 0.10, bending: float = 0.18
) -> HumanSigns:
    """Letters of an alphabet shown by simulated people; signs with two hands are left out.

    Args:
        alphabet: whose letters.
        kind: of the hands' kinematics, "anatomical" (which is trained on) or "oblique".
        spread, bending: of sizes and bones, and of ranges of bending, about the mean.
    """
    names = tuple(name for name, letter in alphabet.letters.items() if letter.left is None)
    palms, paths, brief = _place(alphabet, names)
    channels = np.array([channels_of(alphabet.letters[name].right) for name in names])
    return HumanSigns(names, palms, paths, brief, channels, kind, spread, bending)


@dataclass(frozen=True, eq=False)
class RobotSigns:
    """Letters shown by one robot's hand, whose kinematics is known.

    Args:
        names, palms, paths, brief: as of `carpal.perception.SignSource`.
        hand: that signs.
        commands: (L, n) of its letters.
    """

    names: tuple[str, ...]
    palms: Array
    paths: Sequence[Array]
    brief: np.ndarray
    hand: SignHand
    commands: Array

    @property
    def fingers(self) -> Array:
        """Whether each command is a finger's, not the wrist's."""
        return np.array([i not in self.hand.wrist for i in range(len(self.hand.commands))])

    def letters(self, rng: np.random.Generator, which: np.ndarray) -> Array:
        """Landmarks (n, 21, 3) [m] of letters which (n), commands a little off."""
        return self._seen(rng, self.commands[which])

    def others(self, rng: np.random.Generator, count: int, kind: str) -> tuple[Array, Array]:
        """Landmarks (count, 21, 3) [m] and palms of non-letters."""
        span = (self.hand.high - self.hand.low) * self.fingers

        def random(rng: np.random.Generator, n: int) -> Array:
            share = rng.uniform(0.0, 1.0, (n, len(span)))
            plain = rng.random(n) < 0.5
            share[plain] = np.round(2.0 * share[plain]) / 2.0
            return np.asarray((self.hand.low + share * span) * self.fingers)

        c, palms = non_letters(rng, self.commands, self._angles(), self.palms, count, kind, random)
        return self._seen(rng, c), palms

    def transitions(self, rng: np.random.Generator, count: int, frames: int) -> tuple[Array, Array]:
        """Landmarks (count, frames, 21, 3) [m] and palms of the hand on its way from one letter to another."""
        c, palms = between_letters(rng, self.commands, self._angles(), self.palms, count, frames)
        points = self._seen(rng, c)
        return points, palms

    def _angles(self) -> Array:
        """(n) [rad] that a joint moves at most for each unit of a command: a tendon's travel bends a whole finger."""
        rates = np.ones(len(self.hand.commands)) * self.fingers
        for i in self.hand.tendons:
            bent = max(self.hand.model.q_max[column] for column in self.hand.columns[self.hand.commands[i]])
            rates[i] = bent / (self.hand.high[i] - self.hand.low[i])
        return rates

    def _seen(self, rng: np.random.Generator, commands: Array) -> Array:
        span = (self.hand.high - self.hand.low) * self.fingers
        off = LOOSE * span * rng.standard_normal((len(commands), *[1] * (commands.ndim - 2), len(span)))
        c = np.clip(commands + off, self.hand.low, self.hand.high)
        size = rng.uniform(1.0 - SCALE, 1.0 + SCALE, (len(c), *[1] * commands.ndim))
        return np.asarray(size * robot_landmarks(self.hand, self.hand.joints(c)))


def robot_signs(hand: SignHand, alphabet: Alphabet, shown: dict[str, HandLetter]) -> RobotSigns:
    """Letters that a hand shows, as of `letters_of`."""
    names = tuple(shown)
    palms, paths, brief = _place(alphabet, names)
    commands = np.array([shown[name].commands for name in names])
    return RobotSigns(names, palms, paths, brief, hand, commands)
