"""Alphabets of touch (Lorm, Malossi): where and how each letter is touched on the receiver's hand, read from editable files.

A place is an affine combination of the hand's 21 landmarks (wrist; thumb CMC, MCP, IP, tip; MCP, PIP, DIP, tip of the others), so
it is the same on a hand of any size, spread and attitude.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.labs.sign.files.alphabet import FINGERS, MOST_LETTERS
from carpal.spatial import Array

FORMAT = "carpal-touch-1"
NEEDED = {"tap": 1, "pinch": 1, "drum": 1, "circle": 1, "stroke": 2, "squeeze": 2, "cross": 4}
"""Ways to touch, and how many places each has."""
MOST_TIMES, MOST_FINGERS = 3, 4


def _places() -> dict[str, dict[int, float]]:
    out: dict[str, dict[int, float]] = {}
    for k, finger in enumerate(FINGERS):
        first = 1 + 4 * k
        out[f"{finger}_tip"] = {first + 3: 1.0}
        out[f"{finger}_middle"] = {first + 1: 0.5, first + 2: 0.5} if k else {first + 2: 1.0}
        out[f"{finger}_base"] = {first: 1.0} if k else {first + 1: 1.0}
    return out | {
        "wrist": {0: 1.0}, "palm": {0: 0.2, 5: 0.2, 9: 0.2, 13: 0.2, 17: 0.2},
        "wrist_thumb": {0: 1.0, 5: 0.35, 17: -0.35}, "wrist_little": {0: 1.0, 5: -0.35, 17: 0.35},
        "ball": {1: 0.5, 2: 0.3, 0: 0.2}, "ball_outside": {1: 0.6, 2: 0.6, 9: -0.2},
        "index_outside": {5: 1.5, 9: -0.5}, "index_outside_tip": {8: 1.0, 5: 0.5, 9: -0.5},
        "edge_wrist": {0: 0.7, 17: 0.6, 13: -0.3}, "edge_tip": {20: 1.0, 17: 0.5, 13: -0.5},
        "thumb_outside": {1: 1.2, 5: -0.2}, "thumb_outside_tip": {4: 1.0, 2: 0.2, 5: -0.2},
    }  # fmt: skip


PLACES = _places()


@dataclass(frozen=True, eq=False)
class TouchLetter:
    """How a letter is touched.

    Args:
        name: of the letter.
        how: one of `NEEDED`.
        weights: (k, 21) of the landmarks, for each of its places.
        places: their names.
        times: how often.
        fingers: that touch side by side.
    """

    name: str
    how: str
    weights: Array
    places: tuple[str, ...]
    times: int
    fingers: int


@dataclass(frozen=True, eq=False)
class TouchAlphabet:
    """An alphabet of touch: `name` and `about` for people, `letters` by name."""

    name: str
    about: str
    letters: Mapping[str, TouchLetter]

    def spell(self, text: str) -> tuple[str, ...]:
        """The letters of a text, longest names first (SCH before S), " " for pauses."""
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"the text to touch must hold at least one letter; got {text!r:.60}.")
        if len(text) > MOST_LETTERS:
            raise InputError(f"a text of {len(text)} characters is too long; {MOST_LETTERS} are the most at a time.")
        out: list[str] = []
        rest = " ".join(text.upper().replace("ß", "SS").split())
        names = sorted(self.letters, key=len, reverse=True)
        while rest:
            name = next((name for name in names if rest.startswith(name)), rest[0])
            if name != " " and name not in self.letters:
                raise InputError(
                    f"'{name}' is not in the alphabet '{self.name}'; it has {', '.join(self.letters)}; spaces are pauses."
                )
            out.append(name)
            rest = rest[len(name) :]
        return tuple(out)


def _letter(data: object, what: str) -> TouchLetter:
    table = tables.only(data, ("how", "places", "times", "fingers"), what, ("how", "places"))
    how = tables.text(table["how"], f"how of {what}", NEEDED)
    places = tables.texts(table["places"], f"places of {what}", PLACES)
    if len(places) != NEEDED[how]:
        raise InputError(f"places of {what}: '{how}' needs {NEEDED[how]}; got {len(places)}.")
    weights = np.zeros((len(places), 21))
    for row, place in zip(weights, places, strict=True):
        for landmark, weight in PLACES[place].items():
            row[landmark] = weight
    name = what.rpartition(".")[2]
    if not name or name != name.upper() or any(c.isspace() for c in name):
        raise InputError(f"the names of letters in {what} are upper case without spaces; got '{name}'.")
    counts = {key: tables.number(table.get(key, 1), f"{key} of {what}", 1, most) for key, most in
              (("times", MOST_TIMES), ("fingers", MOST_FINGERS))}  # fmt: skip
    return TouchLetter(name, how, weights, places, int(counts["times"]), int(counts["fingers"]))


@functools.lru_cache(maxsize=8)
def _read(source: str) -> TouchAlphabet:
    data, what = tables.read_file("touch_alphabets", source, FORMAT)
    tables.only(data, ("name", "about", "letters"), what, ("name", "letters"))
    letters: dict[str, Any] = tables.table_of(data["letters"], f"letters of {what}", _letter)
    seen: dict[Any, str] = {}
    for name, one in letters.items():
        key = (one.how, one.places, one.times, one.fingers)
        if key in seen:
            raise InputError(f"letters '{seen[key]}' and '{name}' of {what} are touched in the same way.")
        seen[key] = name
    return TouchAlphabet(tables.text(data["name"], "name"), tables.text(data.get("about", ""), "about"), letters)


def read_touch_alphabet(source: str | os.PathLike[str] = "lorm") -> TouchAlphabet:
    """An alphabet of touch by its name in the package (lorm, malossi), or from a .toml file.

    Example:
        >>> read_touch_alphabet("lorm").spell("schon")
        ('SCH', 'O', 'N')
    """
    given = os.fspath(source)
    if not given:
        raise unknown_name("touch alphabet", given, tables.known_files("touch_alphabets"))
    return _read.__wrapped__(given) if given.endswith(".toml") else _read(given)
