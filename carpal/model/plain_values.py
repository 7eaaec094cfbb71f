"""Numbers, poses and texts as JSON can hold them, and back; anything else is refused with a ModelError.

JSON has no infinity: infinite numbers are written as the strings "inf" and "-inf".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import ModelError
from carpal.spatial import Array


def number_out(value: float) -> float | str:
    """A float as JSON can hold it."""
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def number_in(value: object) -> float:
    """The float that `number_out` wrote."""
    if isinstance(value, bool) or not (isinstance(value, int | float) or value in ("inf", "-inf")):
        raise ModelError(f"a number was expected; got {str(value)[:60]!r}.")
    try:
        return float(value)
    except OverflowError:
        raise ModelError("a number was expected; got an integer too large for one.") from None


def pose_out(X: Array) -> list[float]:
    """The first three rows of a pose, 12 numbers."""
    return [float(x) for x in np.asarray(X)[:3].ravel()]


def pose_in(numbers: object) -> Array:
    """The pose (4, 4) of 12 numbers."""
    return np.vstack([np.reshape(numbers_in(numbers, 12), (3, 4)), [0.0, 0.0, 0.0, 1.0]])


def list_out(values: ArrayLike | None) -> list[float]:
    """A vector as a list."""
    return [float(x) for x in np.asarray(values, float)]


def numbers_in(values: object, count: int | None) -> Array:
    """A vector of `count` numbers (None: of any length)."""
    if not isinstance(values, list) or (count is not None and len(values) != count):
        raise ModelError(f"{'a list of' if count is None else count} numbers were expected; got {str(values)[:60]!r}.")
    return np.array([number_in(value) for value in values], float)


def dict_in(value: object, what: str) -> dict[str, Any]:
    """A dict, as which the data of `what` must be given."""
    if not isinstance(value, dict):
        raise ModelError(f"the data of a {what} must be a dict; got {type(value).__name__}.")
    return value


def text_in(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ModelError(f"a text was expected; got {str(value)[:60]!r}.")
    return value
