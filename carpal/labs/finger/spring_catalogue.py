"""Standard springs from a catalogue file (TOML); Prabhu (2018), 3.3, asks for them because springs wound to order cost more.

title = "my supplier"
currency = "EUR"
custom_price = 18.0
[[spring]]
name = "T01"
stiffness = 0.002      # [N m/rad]
largest_deg = 180.0    # deflection either way
price = 0.9
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

from carpal.errors import ModelError, unknown_name
from carpal.labs.finger.files import DATA, MAX_BYTES
from carpal.model import toml_data

TOP, KEYS = ("title", "currency", "custom_price", "spring"), ("name", "stiffness", "largest_deg", "price")
MOST_SPRINGS = 200


@dataclass(frozen=True)
class StandardSpring:
    """A torsion spring: stiffness [N m/rad], largest deflection either way [rad], price."""

    name: str
    stiffness: float
    largest: float
    price: float


@dataclass(frozen=True)
class SpringCatalogue:
    """Springs by rising stiffness, their currency, and what one wound to order costs."""

    title: str
    currency: str
    custom_price: float
    springs: tuple[StandardSpring, ...]

    def __str__(self) -> str:
        low, high = self.springs[0].stiffness, self.springs[-1].stiffness
        return f"{self.title}: {len(self.springs)} springs from {low:g} to {high:g} N m/rad."


def read_springs(source: str | os.PathLike[str] | None = None) -> SpringCatalogue:
    """The catalogue of a TOML text or file; None is the assumed series in the package."""
    data, what = toml_data(DATA / "springs.toml" if source is None else source, MAX_BYTES)
    for key in data:
        if key not in TOP:
            raise unknown_name(f"entry of {what}", key, TOP)
    entries = data.get("spring")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise ModelError(f"{what} needs springs, each under [[spring]].")
    if len(entries) > MOST_SPRINGS:
        raise ModelError(f"{what} has {len(entries)} springs; at most {MOST_SPRINGS} are searched.")
    springs = [_spring(entry, f"[[spring]] {i} of {what}") for i, entry in enumerate(entries, start=1)]
    names = [spring.name for spring in springs]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f"{what} has {names.count(name)} springs named '{name}'.")
    return SpringCatalogue(
        _text(data.get("title", "springs"), f"title of {what}"),
        _text(data.get("currency", "EUR"), f"currency of {what}"),
        _number(data.get("custom_price", 0.0), f"custom_price of {what}", zero=True),
        tuple(sorted(springs, key=lambda spring: (spring.stiffness, spring.price, spring.name))),
    )


def _spring(entry: dict[str, Any], where: str) -> StandardSpring:
    for key in entry:
        if key not in KEYS:
            raise unknown_name(f"entry of {where}", key, KEYS)
    for key in KEYS:
        if key not in entry:
            raise ModelError(f"{where} lacks {key}.")
    return StandardSpring(
        _text(entry["name"], f"name of {where}"),
        _number(entry["stiffness"], f"stiffness of {where}"),
        math.radians(_number(entry["largest_deg"], f"largest_deg of {where}")),
        _number(entry["price"], f"price of {where}", zero=True),
    )


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise ModelError(f"{what} must be a text; got {value!r:.60}.")
    return value


def _number(value: Any, what: str, *, zero: bool = False) -> float:
    right = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not right or value < 0 or (value == 0 and not zero):
        raise ModelError(f"{what} must be a number {'zero or above' if zero else 'above zero'}; got {value!r:.60}.")
    return float(value)
