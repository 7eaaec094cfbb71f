"""Alphabets: robot-independent handshapes, palm directions and motions of letters, read from editable files."""

from __future__ import annotations

import functools
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.labs.sign.files import tables
from carpal.spatial import Array

FINGERS = ("thumb", "index", "middle", "ring", "little")
FORMAT = "carpal-alphabet-1"
SHAPE_KEYS = (*FINGERS, "opposition", "spread", "cup", "palm", "motion", "wrist", "contact")
MOST_LETTERS = 2_000
"""Longest text."""


@dataclass(frozen=True, eq=False)
class Handshape:
    """One hand of a sign, independent of the robot.

    Args:
        bend: (5, 2) thumb to little: base joint, outer joints; 0 straight to 1 bent.
        spread: (5) 0 together to 1 fanned, negative crossed.
        opposition: of the thumb, 0 beside the palm to 1 across it.
        cup: ring and little finger towards the thumb, 0 to 1.
        palm: name of a palm direction.
        motion: name of a motion; "" for a letter that stands.
        wrist: (3) flexion, deviation, turn [rad] on top of the palm direction.
        contact: pairs of fingers whose tips meet.
    """

    bend: Array
    spread: Array
    opposition: float
    cup: float
    palm: str
    motion: str
    wrist: Array
    contact: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Letter:
    """A letter or sign: the right hand, and the left one where it needs two."""

    name: str
    right: Handshape
    left: Handshape | None = None


@dataclass(frozen=True, eq=False)
class Alphabet:
    """Letters with the palm directions and motions that they name.

    Args:
        name, about: for people.
        palms: name to R (3, 3): the palm's axes (x out of the palm, z along the fingers) in the receiver's frame.
        motions: name to (n, 3) wrist angles [rad], one after the other.
        letters: by name, upper case.
    """

    name: str
    about: str
    palms: Mapping[str, Array]
    motions: Mapping[str, Array]
    letters: Mapping[str, Letter] = field(default_factory=dict)

    def spell(self, text: str) -> tuple[str, ...]:
        """The letters of a text, " " for a pause between words; accents are left off, as signers do.

        Signs of more than one letter, where an alphabet has them, are written in brackets: "[CIAO] A".
        """
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"the text to sign must hold at least one letter; got {text!r:.60}.")
        if len(text) > MOST_LETTERS:
            raise InputError(f"a text of {len(text)} characters is too long; {MOST_LETTERS} are the most at a time.")
        out: list[str] = []
        rest = text.strip().upper()
        while rest:
            name, rest = self._next(rest)
            if name == " " and out and out[-1] == " ":
                continue
            if name != " " and name not in self.letters:
                plain = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
                if plain not in self.letters:
                    raise InputError(
                        f"'{name}' is not in the alphabet '{self.name}'; it has {', '.join(self.letters)}; spaces are pauses."
                    )
                name = plain
            out.append(name)
        return tuple(out)

    @staticmethod
    def _next(rest: str) -> tuple[str, str]:
        if rest[0] == "[" and "]" in rest:
            name, _, after = rest[1:].partition("]")
            return name, after
        return " " if rest[0].isspace() else rest[0], rest[1:]


def _shape(data: object, what: str, palms: Mapping[str, Array], motions: Mapping[str, Array], left: bool) -> Any:
    table = tables.only(data, (*SHAPE_KEYS, *(("left",) if left else ())), what, (*FINGERS, "palm"))
    bend = np.array([tables.several(table[finger], 2, f"{what}.{finger}", 0.0, 1.0) for finger in FINGERS])
    given = table.get("spread", 0.0)
    if isinstance(given, dict):
        tables.only(given, FINGERS[1:], f"{what}.spread")
        spread = np.array([tables.number(given.get(f, 0.0), f"{what}.spread.{f}", -1.0, 1.0) for f in FINGERS])
    else:
        spread = np.full(5, tables.number(given, f"{what}.spread", -1.0, 1.0))
    wrist = tables.several(table.get("wrist", [0, 0, 0]), 3, f"{what}.wrist", -90.0, 90.0)
    return Handshape(
        bend, spread, tables.number(table.get("opposition", 0.0), f"{what}.opposition", 0.0, 1.0),
        tables.number(table.get("cup", 0.0), f"{what}.cup", 0.0, 1.0),
        tables.text(table["palm"], f"palm of {what}", palms),
        tables.text(table.get("motion", ""), f"motion of {what}", ("", *motions)), np.radians(wrist),
        _contact(table.get("contact", []), f"contact of {what}"),
    )  # fmt: skip


def _contact(data: object, what: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(data, list):
        raise InputError(f"{what} must be a list of pairs of fingers; got {data!r:.60}.")
    pairs = [tables.texts(pair, what, FINGERS) for pair in data]
    if any(len(set(pair)) != 2 or len(pair) != 2 for pair in pairs):
        raise InputError(f"{what} must be pairs of two different fingers; got {data!r:.60}.")
    return tuple((a, b) for a, b in pairs)


def _palm(data: object, what: str) -> Array:
    table = tables.only(data, ("fingers", "palm"), what, ("fingers", "palm"))
    z, x = tables.several(table["fingers"], 3, f"{what}.fingers"), tables.several(table["palm"], 3, f"{what}.palm")
    if min(np.linalg.norm(z), np.linalg.norm(x)) < 1e-9 or abs(z @ x) > 1e-6 * np.linalg.norm(z) * np.linalg.norm(x):
        raise InputError(f"fingers and palm of {what} must be two directions at a right angle; got {z} and {x}.")
    z, x = z / np.linalg.norm(z), x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _motion(data: object, what: str) -> Array:
    if not isinstance(data, list) or not data:
        raise InputError(
            f"{what} must be a list of wrist angles [flexion, deviation, turn] in degrees; got {data!r:.60}."
        )
    return np.radians([tables.several(row, 3, f"{what}[{i}]", -90.0, 90.0) for i, row in enumerate(data)])


def _letter_name(name: str, what: str) -> str:
    if not name or name != name.upper() or any(c.isspace() or c in "[]" for c in name):
        raise InputError(f"the names of letters in {what} are upper case without spaces; got '{name}'.")
    return name


@functools.lru_cache(maxsize=16)
def _read(source: str) -> Alphabet:
    data, what = tables.read_file("alphabets", source, FORMAT)
    tables.only(data, ("name", "about", "palms", "motions", "letters"), what, ("name", "palms", "letters"))
    palms = tables.table_of(data["palms"], f"palms of {what}", _palm)
    motions = tables.table_of(data["motions"], f"motions of {what}", _motion) if "motions" in data else {}

    def letter(value: object, where: str) -> Letter:
        right = _shape(value, where, palms, motions, True)
        assert isinstance(value, dict)  # checked by _shape
        left = _shape(value["left"], f"{where}.left", palms, motions, False) if "left" in value else None
        return Letter(_letter_name(where.rpartition(".")[2], what), right, left)

    letters = tables.table_of(data["letters"], f"letters of {what}", letter)
    return Alphabet(
        tables.text(data["name"], "name"), tables.text(data.get("about", ""), "about"), palms, motions, letters
    )


def read_alphabet(source: str | os.PathLike[str] = "italian") -> Alphabet:
    """An alphabet by its name in the package, or from a .toml file.

    Example:
        >>> read_alphabet("italian").spell("ciao")
        ('C', 'I', 'A', 'O')
    """
    given = os.fspath(source)
    if not given:
        raise unknown_name("alphabet", given, tables.known_files("alphabets"))
    # a file of the user's may change between calls
    return _read.__wrapped__(given) if given.endswith(".toml") else _read(given)
