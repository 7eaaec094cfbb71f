"""Names with units as words, and numbers rounded for people: `final_speed_m_s` is the final speed in m/s."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

UNITS = {
    "m": "m", "mm": "mm", "cm": "cm", "um": "µm", "m2": "m²", "m3": "m³", "rad": "rad", "deg": "deg", "px": "px",
    "s": "s", "ms": "ms", "us": "µs", "Hz": "Hz", "kHz": "kHz",
    "m_s": "m/s", "mm_s": "mm/s", "rad_s": "rad/s", "deg_s": "deg/s", "m_s2": "m/s²", "rad_s2": "rad/s²", "deg_s2": "deg/s²",
    "mps": "m/s", "rps": "rad/s", "per_s": "1/s", "per_minute": "per minute",
    "N": "N", "Nm": "N m", "mNm": "mN m", "Ns": "N s", "N_s": "N s", "Nms": "N m s", "N_m": "N/m", "N_mm": "N/mm",
    "Nm_rad": "N m/rad", "Ns_m": "N s/m", "Nms_rad": "N m s/rad", "J": "J", "mJ": "mJ", "W": "W", "kg": "kg",
    "kg_m2": "kg m²", "kg_m_s": "kg m/s", "MiB": "MiB", "percent": "%",
}  # fmt: skip
"""Endings of names that are units; between two units an underscore means "per", but kg_m2 is a moment of inertia."""
BEFORE_A_FRAME = ("axis", "n", "p", "v")
"""After these a capital letter is a frame, not a unit: axis_W is a direction in the world."""
PREFIXES = {
    "m": ("", "m", "µ", "n", "p"),
    "s": ("", "m", "µ"),
    "J": ("", "m", "µ", "n", "p"),
    "N": ("", "m", "µ"),
    "W": ("", "m"),
}
"""Prefixes that a unit may get, each a thousandth of the one before."""
SIZES = {"mm": ("m", 1e-3), "um": ("m", 1e-6), "ms": ("s", 1e-3), "us": ("s", 1e-6), "mJ": ("J", 1e-3)}
"""Units that are themselves a prefix and a unit."""
NOISE = 1e-12
"""In metres, radians, seconds, newtons, joules: a number below this is rounding of double precision, not a result."""
DIGITS = 4


class Shown(NamedTuple):
    """A number for people: its text, its unit, and all digits."""

    text: str
    unit: str
    exact: str


def words(name: str) -> str:
    """A name as words."""
    return str(name).replace("_", " ")


def words_and_unit(name: str) -> tuple[str, str]:
    """A name as words and its unit: largest_error_m is largest error, m."""
    parts = str(name).split("_")
    for count in (3, 2, 1):
        start, ending = parts[:-count], "_".join(parts[-count:])
        frame = len(ending) == 1 and ending.isupper() and bool(start) and start[-1] in BEFORE_A_FRAME
        if start and ending in UNITS and not frame:
            return words("_".join(start)), UNITS[ending]
    return words(name), ""


def number(value: Any, digits: int = 6) -> str:
    """A number as text; anything else as it is."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number(inner, digits)}" for name, inner in value.items())
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        shown = [number(inner, min(digits, 5)) for inner in value]
        return ", ".join(shown[:12]) + (f", ... ({len(shown)} in all)" if len(shown) > 12 else "")
    if isinstance(value, int):
        return str(value)
    try:
        return f"{float(value):.{digits}g}"
    except (TypeError, ValueError):
        return str(value)


def shown(name: str, value: Any) -> Shown:
    """A named number in a unit that fits its size, four digits long: 6.06397e-05 m is 0.06064 mm; what is rounding reads 0."""
    unit = words_and_unit(name)[1]
    exact = f"{value} {unit}".strip()
    given = value if isinstance(value, list | tuple) else [value]
    if not given or any(isinstance(x, bool | str) or not isinstance(x, int | float) for x in given):
        return Shown(number(value), "" if value is None else unit, exact)
    finite = [abs(float(x)) for x in given if math.isfinite(x)]
    largest = max(finite, default=0.0)
    if all(isinstance(x, int) for x in given):
        return Shown(number(value), unit, exact)
    if name.rpartition("_")[2] == "share":
        return Shown(_texts(given, 100.0, 100 * largest), "%", exact)
    unit, size = SIZES.get(unit, (unit, 1.0))
    given, largest = [size * x for x in given], size * largest
    prefixes = PREFIXES.get(unit, ("",))
    fits = (power for power in range(len(prefixes)) if largest * 1000.0**power >= 0.1)
    power = 0 if largest < NOISE else next(fits, len(prefixes) - 1)
    return Shown(_texts(given, 1000.0**power, largest * 1000.0**power), prefixes[power] + unit, exact)


def is_noise(value: Any) -> bool:
    """Whether a number is nothing but rounding."""
    try:
        return abs(float(value)) < NOISE
    except (TypeError, ValueError):
        return False


def _texts(values: Iterable[float], factor: float, largest: float) -> str:
    """All with the same number of places, as the largest of them needs."""
    texts = []
    for x in values:
        if not math.isfinite(x):
            texts.append("unknown" if math.isnan(x) else "unlimited")
        elif largest and abs(factor * x) < 1e-9 * largest:
            texts.append("0")
        else:
            texts.append("0" if abs(x) < NOISE else _rounded(factor * x))
    return ", ".join(texts[:12]) + (f", ... ({len(texts)} in all)" if len(texts) > 12 else "")


def _rounded(x: float) -> str:
    """Four digits; whole numbers of up to seven digits stay as they are."""
    if 1e4 <= abs(x) < 1e7:
        return f"{x:.0f}"
    return f"{float(f'{x:.{DIGITS}g}'):.10g}" if 1e-3 <= abs(x) < 1e7 else f"{x:.{DIGITS - 1}g}"
