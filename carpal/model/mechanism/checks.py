"""Checks of a mechanism's parts, each one clear sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.errors import InputError, ModelError
from carpal.model.parts import UNIT, checked_pose, real_array
from carpal.spatial import Array, Inertia


def finite(values: Any, shape: tuple[int | None, ...], what: str) -> Array:
    """A read-only array of that shape (None: any length), finite."""
    array = real_array(values, what)
    fits = array.ndim == len(shape) and all(w is None or n == w for n, w in zip(array.shape, shape, strict=True))
    if not fits:
        wanted = "a number" if not shape else f"shape ({', '.join('n' if n is None else str(n) for n in shape)})"
        raise InputError(f"{what} must be {wanted}; got shape {array.shape}.")
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite; got {array.tolist()!r:.80}.")
    array.setflags(write=False)
    return array


def frozen_pose(X: Any, what: str) -> Array:
    """A read-only rigid motion (4, 4)."""
    return checked_pose(X, what)


def positive_inertia(inertia: Inertia, name: str) -> None:
    """A body in full coordinates needs mass and inertia about every axis: its accelerations are divided by them."""
    if not isinstance(inertia, Inertia):
        raise InputError(f"body '{name}' needs an Inertia; got {inertia!r:.60}.")
    least = float(np.linalg.eigvalsh(inertia.about_com)[0])
    if inertia.mass <= 0 or least <= 0:
        raise ModelError(
            f"body '{name}' needs mass and principal inertias above zero, it has six freedoms of its own; "
            f"got {inertia.mass:g} kg and a least moment of {least:g} kg m^2."
        )


def body_pair(thing: Any, kind: str) -> None:
    """Two different bodies."""
    if thing.a == thing.b:
        raise ModelError(f"{kind} '{thing.name}' joins {_called(thing.a)} to itself; it needs two different bodies.")


def _called(body: str | None) -> str:
    return "the world" if body is None else f"body '{body}'"


def point(thing: Any, *names: str) -> None:
    """Freeze points (3)."""
    for name in names:
        object.__setattr__(thing, name, finite(getattr(thing, name), (3,), f"{name} of '{thing.name}'"))


def unit(thing: Any, *names: str) -> None:
    """Freeze unit vectors (3); any length but zero comes in."""
    for name in names:
        vector = finite(getattr(thing, name), (3,), f"{name} of '{thing.name}'")
        length = float(np.linalg.norm(vector))
        if length < 1e-9:
            raise InputError(f"{name} of '{thing.name}' must not be zero.")
        if abs(length - 1.0) > UNIT:
            vector = vector / length
            vector.setflags(write=False)
        object.__setattr__(thing, name, vector)


def across(thing: Any) -> None:
    """The line in A that shows the angle must not run along the axis."""
    if abs(float(thing.axis @ thing.line_A)) > 1e-6:
        raise InputError(
            f"line_A of '{thing.name}' must be at right angles to its axis; their cosine is "
            f"{float(thing.axis @ thing.line_A):.3g}."
        )


def amount(thing: Any, *names: str) -> None:
    """Finite numbers, zero or above."""
    for name in names:
        value = finite(getattr(thing, name), (), f"{name} of '{thing.name}'")
        if value < 0:
            raise InputError(f"{name} of '{thing.name}' must be zero or above; got {float(value):g}.")
        object.__setattr__(thing, name, float(value))


def index_or_none(value: Any, what: str) -> int | None:
    """A place in a vector, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise InputError(f"{what} must be an index from 0, or None; got {value!r:.60}.")
    return int(value)
