"""Letters from single frames of real hands: image landmarks of a camera tracker, one letter or none for each frame."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.labs.sign.reading.frame_features import FRAME_FEATURES, frame_features, mirror, unit_frames
from carpal.labs.sign.reading.network import logits, softmax
from carpal.labs.sign.reading.recogniser import Recogniser, recogniser_of_kind
from carpal.perception import POINTS
from carpal.spatial import Array

CHUNK = 4096


@dataclass(frozen=True, eq=False)
class FrameLetters(Result):
    """What every frame says.

    Args:
        letters: one for each frame, None for none of these or no hand.
        confidence: (n) probability of the likeliest letter.
    """

    letters: tuple[str | None, ...]
    confidence: Array

    @property
    def ok(self) -> bool:
        """Whether any frame shows a letter."""
        return any(self.letters)

    @property
    def status(self) -> str:
        """One sentence."""
        none = sum(letter is None for letter in self.letters)
        return f"{len(self.letters) - none} of {len(self.letters)} frames show a letter, {none} none."


@dataclass(frozen=True, eq=False)
class FrameReader(Recogniser):
    """A recogniser of single frames of image landmarks; fields are those of `Recogniser`."""

    form = "carpal-frame-reader-1"
    inputs = FRAME_FEATURES

    @property
    def least(self) -> float:
        """Probability below which a letter is rejected."""
        return float(self.recipe["least"])

    def scores_of_features(self, features: Array) -> Array:
        """Scores (n, letters + 1), not yet normalised."""
        return logits(self.layers, (features - self.centre) / self.width)

    def probabilities(self, frames: Array) -> Array:
        """(n, letters + 1) of frames (n, 21, 3) of image landmarks; the last is none of these. Either hand gives the same."""
        p = unit_frames(frames)
        both = [self.scores_of_features(frame_features(seen)) for seen in (p, mirror(p))]
        return softmax(0.5 * (both[0] + both[1]) / self.temperature)

    def read(self, landmarks: ArrayLike) -> FrameLetters:
        """The letter of every frame (n, 21, 3) of image landmarks; a frame that is not a number everywhere holds no hand."""
        p = np.asarray(landmarks, float)
        if p.ndim == 2:
            p = p[None]
        if p.ndim != 3 or p.shape[1:] != (POINTS, 3):
            raise InputError(f"image landmarks must have the shape (frames, {POINTS}, 3); got {p.shape}.")
        letters: list[str | None] = []
        confidence = np.zeros(len(p))
        for start in range(0, len(p), CHUNK):
            part = p[start : start + CHUNK]
            seen = np.isfinite(part).all((1, 2)) & (np.ptp(np.nan_to_num(part[:, :, :2]), axis=1).max(-1) > 0)
            found = np.zeros((len(part), len(self.names) + 1))
            found[seen] = self.probabilities(part[seen])
            best = found[:, :-1].argmax(1)
            confidence[start : start + CHUNK] = found[np.arange(len(part)), best]
            sure = (found[:, :-1].max(1) >= self.least) & (found[:, :-1].max(1) > found[:, -1])
            letters += [self.names[k] if yes else None for k, yes in zip(best, sure, strict=True)]
        return FrameLetters(tuple(letters), confidence)


def known_frame_readers() -> tuple[str, ...]:
    """Names of the package's frame readers, which are those of their alphabets."""
    return tuple(sorted(path.stem for path in (tables.DATA / "frame_readers").glob("*.npz")))


def frame_reader(alphabet: str | os.PathLike[str] = "asl") -> FrameReader:
    """A reader of single frames of real hands, by the name of its alphabet or from a .npz file that was trained before.

    Example:
        >>> frame_reader("asl").read(landmarks).letters
    """
    given = os.fspath(alphabet)
    known = known_frame_readers()
    if not given.endswith(".npz") and given not in known:
        raise unknown_name("frame reader", given, (*known, "a path that ends in .npz"))
    place = given if given.endswith(".npz") else tables.DATA / "frame_readers" / f"{given}.npz"
    return recogniser_of_kind(place, FrameReader)
