"""Checks of arrays at the public edge: real, finite, of the right shape, or one sentence that says what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carpal.errors import InputError

Array = NDArray[np.float64]
ArrayWithGaps = NDArray[np.float64]
"""Numbers, NaN where there is none; constructors of records refuse NaN in other arrays."""
ORTHONORMAL = 1e-6
"""How far R R^T may be from the identity."""


def real_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """As an array of real numbers of any shape."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} is not an array of numbers: its rows differ in length.") from None
    if array.dtype.kind not in "fiu":
        raise InputError(f"{name} must be real numbers; got dtype {array.dtype}.")
    return array


def finite_array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """As float64 (*batch, *shape)."""
    array = real_array(name, values)
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        raise InputError(f"{name} needs shape (*batch, {', '.join(map(str, shape))}); got {array.shape}.")
    array = array.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(f"{name}{list(at)} is {array[at]}; all numbers must be finite.")
    return array


def finite_rotations(name: str, values: ArrayLike) -> Array:
    """Rotations (*batch, 3, 3)."""
    R = finite_array(name, values, (3, 3))
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-1, -2), initial=0.0)
    wrong = (off > ORTHONORMAL) | (np.linalg.det(R) < 0)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" at batch index {at}" if at else ""
        raise InputError(f"{name}{where} is not a rotation: its columns must be orthonormal and right-handed.")
    return R


def finite_poses(name: str, values: ArrayLike) -> Array:
    """Poses (*batch, 4, 4)."""
    X = finite_array(name, values, (4, 4))
    finite_rotations(f"the rotation of {name}", X[..., :3, :3])
    if not (X[..., 3, :] == np.array([0.0, 0.0, 0.0, 1.0])).all():
        raise InputError(f"{name} is not a pose: the last row must be (0, 0, 0, 1).")
    return X
