"""A recogniser: features, layers, temperature, the rule for "none of these", and the file that holds them.

The result is the class with the highest probability. It is "none of these" if that is the class of non-letters, or if the
best letter's probability is below LEAST. Probabilities are calibrated by one temperature on held-out signs.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.labs.sign.reading.network import GRID, Layers, logits, softmax
from carpal.labs.sign.reading.sign_features import FEATURES, sign_features
from carpal.perception import checked_frames
from carpal.spatial import Array

FORMAT = "carpal-recogniser-1"
LEAST = 0.5
"""Probability below which a letter is rejected."""
MAX_BYTES, MOST_LETTERS, MOST_UNITS = 2_000_000, 500, 2_000


@dataclass(frozen=True)
class Reading(Result):
    """What was read from a hand.

    Args:
        letter: or None for none of these.
        confidence: 0 to 1, of the letter or of "none of these".
        scores: probability of every letter; "" is none of these.
        frames: how many were used.
    """

    letter: str | None
    confidence: float
    scores: Mapping[str, float]
    frames: int

    @property
    def ok(self) -> bool:
        """Whether it is a letter."""
        return self.letter is not None

    @property
    def status(self) -> str:
        """One sentence."""
        seen = f"{self.frames} frame{'' if self.frames == 1 else 's'}"
        if self.letter is not None:
            return f"'{self.letter}' with confidence {self.confidence:.2f} from {seen}."
        best = max((name for name in self.scores if name), key=lambda name: self.scores[name])
        return f"none of these; the nearest is '{best}' with {self.scores[best]:.2f}, from {seen}."


@dataclass(frozen=True, eq=False)
class Recogniser:
    """Letters from landmarks.

    Args:
        names: of the letters.
        centre, width: (FEATURES) what features are shifted and divided by.
        layers: of the network; its last class is none of these.
        temperature: that calibrates.
        recipe: how it was trained.
    """

    names: tuple[str, ...]
    centre: Array
    width: Array
    layers: Layers
    temperature: float
    recipe: Mapping[str, Any]
    form: ClassVar[str] = FORMAT
    inputs: ClassVar[int] = FEATURES

    def probabilities(self, frames: Array) -> Array:
        """(*batch, letters + 1) of signs (*batch, n, 21, 3), checked before; the last is none of these."""
        x = (sign_features(frames) - self.centre) / self.width
        return softmax(logits(self.layers, x) / self.temperature)

    def recognise(self, landmarks: ArrayLike) -> Reading:
        """What a sign says: frames (n, 21, 3), or one (21, 3), in the receiver's frame."""
        frames = checked_frames(landmarks)
        return self.reading(self.probabilities(frames), len(frames))

    def reading(self, p: Array, frames: int) -> Reading:
        """The rule: probabilities (letters + 1) to a letter or none of these."""
        best = int(np.argmax(p))
        letter = best if best < len(self.names) and p[best] >= LEAST else None
        scores = dict(zip((*self.names, ""), (float(value) for value in p), strict=True))
        if letter is not None:
            return Reading(self.names[letter], float(p[letter]), scores, frames)
        return Reading(None, float(max(p[-1], 1.0 - p[:-1].max())), scores, frames)

    def recognise_many(self, signs: Sequence[ArrayLike] | Array) -> list[Reading]:
        """What every sign says; each is read by itself, so the numbers are those of `recognise`."""
        return [self.recognise(sign) for sign in signs]

    @property
    def digest(self) -> str:
        """SHA-256 of all that the file holds: two recognisers with one digest answer alike."""
        seen = hashlib.sha256(json.dumps([self.form, self.names, self.recipe], sort_keys=True).encode())
        for values in (self.centre, self.width, *(part for layer in self.layers for part in layer), self.temperature):
            seen.update(np.round(np.asarray(values) * GRID).astype("<i8").tobytes())
        return seen.hexdigest()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file, weights as whole numbers of the grid."""
        place = Path(path)
        if place.suffix != ".npz":
            raise InputError(f"a recogniser is saved as .npz; got '{place.name}'.")
        arrays = {"centre": self.centre, "width": self.width, "temperature": np.array([self.temperature])}
        for k, (weights, offset) in enumerate(self.layers):
            arrays |= {f"weights_{k}": weights, f"offset_{k}": offset}
        head = {"format": self.form, "names": self.names, "recipe": self.recipe, "digest": self.digest}
        whole = {name: np.round(values * GRID).astype(np.int32) for name, values in arrays.items()}
        place.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(place, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **whole)  # type: ignore[arg-type]
        return place


def read_recogniser(path: str | os.PathLike[str]) -> Recogniser:
    """A recogniser from its file; a file that was changed or is none is refused with one sentence."""
    return recogniser_of_kind(path, Recogniser)


R = TypeVar("R", bound=Recogniser)


def recogniser_of_kind(path: str | os.PathLike[str], kind: type[R]) -> R:
    """A recogniser of a kind from its file; a file that was changed or is none is refused with one sentence."""
    place = Path(path)
    what = f"the recogniser file '{place}'"
    try:
        if place.stat().st_size > MAX_BYTES:
            raise InputError(f"{what} is larger than {MAX_BYTES // 1_000_000} MB, the most that is read.")
        with zipfile.ZipFile(place) as archive:
            if sum(item.file_size for item in archive.infolist()) > 8 * MAX_BYTES:
                raise InputError(f"{what} unpacks to more than is read.")
        with np.load(place, allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
        head = json.loads(arrays.pop("head").tobytes())
        names = tuple(str(name) for name in head["names"])
        depth = len([name for name in arrays if name.startswith("weights_")])
        values = {name: array.astype(float) / GRID for name, array in arrays.items()}
        layers = [(values[f"weights_{k}"], values[f"offset_{k}"]) for k in range(depth)]
        found = kind(
            names, values["centre"], values["width"], layers, float(values["temperature"][0]), dict(head["recipe"])
        )
        form, digest = head["format"], head["digest"]
    except OSError as problem:
        raise InputError(f"{what} cannot be read: {problem.strerror or problem}.") from None
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, IndexError, EOFError, RecursionError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{what} is no recogniser that `carpal sign train` wrote.") from None
    if form != kind.form:
        raise InputError(f"{what} must have format {kind.form}; got {form!r:.40}.")
    _fits(found, what)
    if digest != found.digest:
        raise InputError(f"{what} was changed after it was written: its digest does not fit.")
    return found


def _fits(found: Recogniser, what: str) -> None:
    sizes = [found.inputs, *(weights.shape[-1] for weights, _ in found.layers)]
    right = (
        0 < len(found.names) <= MOST_LETTERS
        and len(set(found.names)) == len(found.names)
        and found.centre.shape == found.width.shape == (found.inputs,)
        and bool((found.width > 0).all())
        and found.temperature > 0
        and max(sizes) <= MOST_UNITS
        and sizes[-1] == len(found.names) + 1
        and all(
            weights.shape == (a, b) and offset.shape == (b,)
            for (weights, offset), a, b in zip(found.layers, sizes[:-1], sizes[1:], strict=True)
        )
    )
    if not right:
        raise InputError(
            f"{what} does not fit together: its layers must lead from {found.inputs} features to its letters."
        )
