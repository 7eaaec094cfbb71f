"""Recognisers of the package, training of new ones, simulated signers and filmed robot hands."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.labs.sign.files.alphabet import Alphabet, read_alphabet
from carpal.labs.sign.hand.letters import HandLetter, letters_of
from carpal.labs.sign.hand.parallel_wrist import wrist_rotation
from carpal.labs.sign.hand.sign_hand import SignHand, sign_hand
from carpal.labs.sign.reading.alphabet_signs import channels_of, human_signs, palm_path, robot_signs
from carpal.labs.sign.reading.filming import SIGN_FRAMES, drawn_views, filmed, palm_motions
from carpal.labs.sign.reading.recogniser import Recogniser, read_recogniser
from carpal.labs.sign.reading.robot_landmarks import robot_landmarks
from carpal.labs.sign.reading.sign_source import HABIT, SLOPPY, limited
from carpal.labs.sign.reading.training import Recipe, train_recogniser
from carpal.perception import CHANNELS, KINDS, Camera, HandFit, Proportions, fit_hand, hand_landmarks
from carpal.spatial import Array

NOISE, VIEW, PEOPLE = 0.005, np.radians(30.0), 0.15
"""Defaults of a simulated signer: [m] of landmarks, [rad] of viewpoints, spread of proportions."""
ROBOT_RECIPE = Recipe(signs=40_000, epochs=20)


def known_recognisers() -> tuple[str, ...]:
    """Names of the package's recognisers: alphabets, and alphabets with a robot."""
    return tuple(sorted(path.stem for path in (tables.DATA / "recognisers").glob("*.npz")))


@functools.lru_cache(maxsize=16)
def _packaged(name: str) -> Recogniser:
    return read_recogniser(tables.DATA / "recognisers" / f"{name}.npz")


def sign_recogniser(alphabet: str | os.PathLike[str] = "italian", robot: str | None = None) -> Recogniser:
    """A recogniser of the package, or of a .npz file that was trained before.

    Args:
        alphabet: its name, or a file that ends in .npz.
        robot: a driver's name for a recogniser that knows that robot's hand; None for people's hands.
    """
    given = os.fspath(alphabet)
    if given.endswith(".npz"):
        if robot is not None:
            raise InputError(f"a recogniser from a file knows its hands; '{robot}' cannot be asked of '{given}'.")
        return read_recogniser(given)
    name = given if robot is None else f"{given}_{robot}"
    if given not in tables.known_files("alphabets"):
        raise unknown_name("alphabet", given, (*tables.known_files("alphabets"), "a recogniser that ends in .npz"))
    if name not in known_recognisers():
        raise unknown_name("recogniser", name, (*known_recognisers(), "a path that ends in .npz"))
    return _packaged(name)


def train_sign_recogniser(
    alphabet: Alphabet | str = "italian",
    robot: SignHand | str | None = None,
    recipe: Recipe | None = None,
    progress: Callable[[float], None] | None = None,
) -> Recogniser:
    """A recogniser trained on simulated people, or on a robot's hand.

    Args:
        alphabet: to be read.
        robot: whose hand is read; None for people.
        recipe: how to train.
        progress: called with the share that is done.
    """
    known = read_alphabet(alphabet) if isinstance(alphabet, str) else alphabet
    if robot is None:
        return train_recogniser(human_signs(known), recipe, progress)
    hand = sign_hand(robot) if isinstance(robot, str) else robot
    return train_recogniser(robot_signs(hand, known, letters_of(hand, known)[0]), recipe or ROBOT_RECIPE, progress)


class SimulatedSigner:
    """A person who signs: a hand of their own, habits of their own, seen from one place.

    Args:
        seed: of the person.
        alphabet: that is signed.
        kind: of the hand's kinematics; by default "oblique", on which no recogniser was trained.
        spread: of the proportions.
        view: [rad] by which the viewpoint may be off in azimuth, elevation and roll.
    """

    def __init__(
        self, seed: int, alphabet: Alphabet | str = "italian", *, kind: str = "oblique", spread: float = PEOPLE,
        view: float = VIEW,
    ) -> None:  # fmt: skip
        if kind not in KINDS:
            raise unknown_name("kind of simulated hand", kind, KINDS)
        self.alphabet = read_alphabet(alphabet) if isinstance(alphabet, str) else alphabet
        self.kind = kind
        self._rng = np.random.default_rng([seed, 77])
        self.hand = Proportions.drawn(self._rng, 1, spread)
        self.view = drawn_views(self._rng, 1, view)
        names = tuple(self.alphabet.letters)
        self.habits = dict(zip(names, HABIT * self._rng.standard_normal((len(names), CHANNELS)), strict=True))

    def frames(self, letter: str, *, noise: float = NOISE, frames: int = SIGN_FRAMES, steady: float = 0.0) -> Array:
        """Landmarks (frames, 21, 3) [m] of the person showing a letter, seen in the receiver's frame.

        Args:
            letter: of the alphabet.
            noise: [m] standard deviation of every coordinate.
            frames: how many, at 30 a second.
            steady: share of the noise's variance that stays through the sign.
        """
        if letter not in self.alphabet.letters:
            raise unknown_name(f"letter of '{self.alphabet.name}'", letter, self.alphabet.letters)
        shape = self.alphabet.letters[letter].right
        own = channels_of(shape) + self.habits[letter] + SLOPPY * self._rng.standard_normal(CHANNELS)
        points = hand_landmarks(limited(own[None]), self.hand, self.kind)
        return _film(self._rng, points, self.alphabet, letter, self.view, noise, frames, steady)


def robot_frames(
    hand: SignHand,
    shown: HandLetter,
    alphabet: Alphabet,
    *,
    seed: int = 0,
    noise: float = NOISE,
    view: float = VIEW,
    frames: int = SIGN_FRAMES,
    steady: float = 0.0,
    points: ArrayLike | None = None,
) -> Array:
    """Landmarks (frames, 21, 3) [m] of a robot's hand showing a letter, seen by a camera.

    Args:
        hand, shown, alphabet: who shows which letter of what.
        seed: of viewpoint and noise.
        noise, view, frames, steady: as of `SimulatedSigner`.
        points: (21, 3) [m] of `robot_landmarks` where the hand really stood; by default where its commands bring it.
    """  # fmt: skip
    rng = np.random.default_rng([seed, 78])
    at = robot_landmarks(hand, hand.joints(shown.commands)) if points is None else np.asarray(points, float)
    return _film(rng, at[None], alphabet, shown.letter.name, drawn_views(rng, 1, view), noise, frames, steady)


def _film(
    rng: np.random.Generator, points: Array, alphabet: Alphabet, letter: str, view: Array, noise: float, frames: int,
    steady: float,
) -> Array:  # fmt: skip
    if not 0 <= noise < 1 or frames < 1 or not 0 <= steady <= 1:
        raise InputError(
            f"a film needs noise from 0 to 1 m, at least one frame and a share of 0 to 1; got {noise}, {frames}, {steady}."
        )
    shape = alphabet.letters[letter].right

    palm = alphabet.palms[shape.palm] @ wrist_rotation(shape.wrist)
    turned = palm_motions(rng, [palm_path(alphabet, shape)], np.zeros(1, int), frames)
    return filmed(rng, points, view[:, None] @ palm @ turned, noise, steady)[0]


def depth_landmarks(depth: ArrayLike, camera: Camera, alphabet: Alphabet | str = "italian") -> HandFit:
    """Landmarks of the hand that a depth frame shows, fitted from the letters of an alphabet.

    Args:
        depth: (height, width) [m] along the camera's axis, 0 where nothing of the hand is seen.
        camera: that saw it, its pose in the receiver's frame (its middle may be anywhere).
        alphabet: whose letters the fit starts from.
    """
    known = human_signs(read_alphabet(alphabet) if isinstance(alphabet, str) else alphabet)
    return fit_hand(depth, camera, known.channels, known.palms)


def save_recogniser(found: Recogniser, out: Path, alphabet: str, robot: str | None) -> Path:
    """Write a recogniser under the name by which the package knows it."""
    stem = Path(alphabet).stem if robot is None else f"{Path(alphabet).stem}_{Path(robot).stem}"
    return found.save(out / f"{stem}.npz")
