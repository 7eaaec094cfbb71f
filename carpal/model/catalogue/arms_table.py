"""The requirements query: which manipulator has the freedoms, the payload and the mass that a task asks for?

The 18 rows are those of Prabhu (2018), Table 3.1, as printed; makers' data sheets have changed since. Prabhu
asks for a light arm with a payload of 3 to 10 kg and many freedoms (section 3.2) and takes the only one with seven, the
SIA5F.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from carpal._core.result import Result
from carpal.errors import InputError, unknown_name


@dataclass(frozen=True)
class Manipulator:
    """One row: freedoms, largest payload [kg], own mass [kg]."""

    maker: str
    name: str
    dof: int
    payload: float
    mass: float

    @property
    def payload_ratio(self) -> float:
        """Payload over own mass."""
        return self.payload / self.mass


TABLE = tuple(
    Manipulator(maker, name, dof, payload, mass)
    for maker, rows in (
        ("Staubli", (("TX60", 6, 9.0, 51.0), ("TX60L", 6, 5.0, 52.0))),
        ("Universal Robots", (("UR5", 6, 5.0, 18.4), ("UR3", 6, 3.0, 11.0), ("UR10", 6, 10.0, 28.9))),
        ("Denso", (("VS-S2", 6, 4.0, 34.0), ("VS-050", 6, 4.0, 29.0), ("VS-060", 6, 4.0, 30.0))),
        ("Yaskawa", (("MH3BM", 6, 3.0, 27.0), ("MH3F", 6, 3.0, 27.0), ("MH5LS II", 6, 5.0, 29.0), ("GP7", 6, 7.0, 34.0),
                     ("GP8", 6, 8.0, 32.0), ("SIA5F", 7, 5.0, 30.0))),
        ("Kawasaki Robotics", (("RS003N", 6, 3.0, 30.0), ("RS005N", 6, 5.0, 34.0), ("RS005L", 6, 5.0, 37.0),
                               ("RC005I", 6, 5.0, 37.0))),
    )
    for name, dof, payload, mass in rows
)  # fmt: skip

# what comes first: most freedoms and then lightest (Prabhu's ranking), or one figure alone
RANKS = {
    "dof": lambda arm: (-arm.dof, arm.mass, -arm.payload),
    "mass": lambda arm: (arm.mass, -arm.dof, -arm.payload),
    "payload": lambda arm: (-arm.payload, arm.mass, -arm.dof),
    "ratio": lambda arm: (-arm.payload_ratio, arm.mass, -arm.dof),
}


@dataclass(frozen=True)
class ArmsResult(Result):
    """The rows that fit, best first.

    Args:
        arms: what fits.
        status: one sentence; where nothing fits, which single requirement excludes how many rows.
    """

    arms: tuple[Manipulator, ...]
    status: str

    @property
    def ok(self) -> bool:
        """Whether anything fits."""
        return bool(self.arms)

    def __len__(self) -> int:
        return len(self.arms)

    def __iter__(self) -> Iterator[Manipulator]:
        return iter(self.arms)


def arms(
    dof: int | tuple[float, float] | None = None,
    payload: float | tuple[float, float] | None = None,
    max_mass: float | None = None,
    *,
    maker: str | None = None,
    rank: str = "dof",
) -> ArmsResult:
    """Filter and rank Prabhu's comparison of manipulators.

    Args:
        dof: freedoms: a number, or (least, most).
        payload: largest payload [kg]: a number that must be carried at least, or (least, most).
        max_mass: own mass at most [kg].
        maker: only of this maker.
        rank: "dof" (most freedoms, then lightest), "mass", "payload" or "ratio" (payload over mass).

    Example:
        >>> [arm.name for arm in arms(dof=7, payload=(3, 10), max_mass=35)]
        ['SIA5F']
    """
    if rank not in RANKS:
        raise unknown_name("rank", rank, RANKS)
    wanted: dict[str, Any] = {}
    if dof is not None:
        low, high = _range("dof", dof, None)
        wanted[_words("dof", low, high, "")] = lambda arm: low <= arm.dof <= high
    if payload is not None:
        least, most = _range("payload", payload, math.inf)
        wanted[_words("payload", least, most, " kg")] = lambda arm: least <= arm.payload <= most
    if max_mass is not None:
        heaviest = _number("max_mass", max_mass)
        wanted[f"mass up to {heaviest:g} kg"] = lambda arm: arm.mass <= heaviest
    if maker is not None:
        makers = sorted({arm.maker for arm in TABLE})
        by_name = {name.lower(): name for name in makers}
        if str(maker).lower() not in by_name:
            raise unknown_name("maker", maker, makers)
        wanted[f"maker {by_name[maker.lower()]}"] = lambda arm: arm.maker.lower() == maker.lower()
    found = tuple(sorted((arm for arm in TABLE if all(fits(arm) for fits in wanted.values())), key=RANKS[rank]))
    asked = ", ".join(wanted) or "no requirement"
    if found:
        first = (
            f"; first: {found[0].maker} {found[0].name}" if len(found) > 1 else f": {found[0].maker} {found[0].name}"
        )
        return ArmsResult(found, f"{len(found)} of {len(TABLE)} arms fit {asked}{first}.")
    alone = "; ".join(f"{sum(map(fits, TABLE))} fit {words}" for words, fits in wanted.items())
    return ArmsResult((), f"none of {len(TABLE)} arms fits {asked}; alone, {alone}.")


def _words(name: str, low: float, high: float, unit: str) -> str:
    if low == high:
        return f"{name} {low:g}{unit}"
    return f"{name} {low:g}{unit} or more" if high == math.inf else f"{name} {low:g} to {high:g}{unit}"


def _range(name: str, value: Any, open_end: float | None) -> tuple[float, float]:
    """(low, high); a single number is both, or the lower end where `open_end` is given."""
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise InputError(f"{name} must be a number or (least, most); got {value!r}.")
        low, high = _number(name, value[0]), _number(name, value[1], infinite=True)
        if low > high:
            raise InputError(f"{name} must have least <= most; got ({low:g}, {high:g}).")
        return low, high
    number = _number(name, value)
    return number, number if open_end is None else open_end


def _number(name: str, value: Any, *, infinite: bool = False) -> float:
    usable = not isinstance(value, bool) and isinstance(value, int | float) and value >= 0
    if not usable or (value == math.inf and not infinite):
        raise InputError(f"{name} must be a number, zero or above; got {value!r}.")
    return float(value)
