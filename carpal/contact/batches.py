"""The public edge of kernels that belong to no model: check numbers once, lay them out, run over any batch shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

DEVICES = ("cpu", "cuda")
ORTHONORMAL = 1e-6


class Input(NamedTuple):
    """An input of a kernel: its name, its values (*batch, *shape), the shape for one world."""

    name: str
    values: ArrayLike
    shape: tuple[int, ...]


def finite_array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """As float64 (*batch, *shape), or one sentence: not numbers, wrong shape, not finite."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} is not an array of numbers: its rows differ in length.") from None
    if array.dtype.kind not in "fiu":
        raise InputError(f"{name} must be real numbers; got dtype {array.dtype}.")
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        raise InputError(f"{name} needs shape (*batch, {', '.join(map(str, shape))}); got {array.shape}.")
    array = array.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(f"{name}{list(at)} is {array[at]}; all numbers must be finite.")
    return array


def finite_rotations(name: str, values: ArrayLike) -> Array:
    """Rotations (*batch, 3, 3), or one sentence."""
    R = finite_array(name, values, (3, 3))
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-1, -2), initial=0.0)
    wrong = (off > ORTHONORMAL) | (np.linalg.det(R) < 0)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" at batch index {at}" if at else ""
        raise InputError(f"{name}{where} is not a rotation: its columns must be orthonormal and right-handed.")
    return R


def finite_poses(name: str, values: ArrayLike) -> Array:
    """Poses (*batch, 4, 4), or one sentence."""
    X = finite_array(name, values, (4, 4))
    finite_rotations(f"the rotation of {name}", X[..., :3, :3])
    if not (X[..., 3, :] == np.array([0.0, 0.0, 0.0, 1.0])).all():
        raise InputError(f"{name} is not a pose: the last row must be (0, 0, 0, 1).")
    return X


def run_worlds(
    entry: Any,
    constants: tuple[Any, ...],
    inputs: Sequence[Input],
    outputs: Sequence[tuple[int, ...]],
    *,
    scratch: Sequence[tuple[int, ...]] = (),
    device: str = "cpu",
    threads: int | None = None,
    world_seconds: float = 1e-6,
) -> list[Array]:
    """Run a compiled entry over any batch shape; the arguments are those of `carpal.model.run_batch`, without a model.

    Args:
        entry: `entry(*constants, *inputs, *outputs, *scratch, start, stop, stride, slot)`.
        constants: tables and numbers that all worlds share.
        inputs: per-world numbers; their batch shapes are broadcast against each other.
        outputs: shape of each output for one world.
        scratch: shape of each scratch array for one slot.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
        world_seconds: rough cost of a world, for cutting the work into chunks.

    Returns:
        One array (*batch, *shape) per output.
    """
    from carpal import _jit

    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads must be a whole number, 1 or above; got {threads!r}.")
    arrays = [finite_array(*given) for given in inputs]
    leading = [array.shape[: array.ndim - len(given.shape)] for given, array in zip(inputs, arrays, strict=True)]
    try:
        batch = np.broadcast_shapes(*leading)
    except ValueError:
        shapes = ", ".join(f"{g.name} {a.shape}" for g, a in zip(inputs, arrays, strict=True))
        raise InputError(f"these batch shapes do not fit together: {shapes}.") from None
    rows = [_rows(array, batch, given.shape) for given, array in zip(inputs, arrays, strict=True)]
    worlds = math.prod(batch)
    results = [np.empty((worlds, *shape)) for shape in outputs]
    if worlds and device == "cuda":
        bad = _jit.run_on_cuda(entry, (*constants, *rows), tuple(results), list(scratch), worlds)
    elif worlds:
        slots = threads or _jit.cpu_threads()
        work = (np.empty((slots, *shape)) for shape in scratch)
        bad = _jit.run_on_cpu(
            entry, (*constants, *rows, *results, *work), worlds, threads=slots, world_seconds=world_seconds
        )
    if worlds and bad:
        where = f" at batch index {tuple(int(i) for i in np.unravel_index(bad - 1, batch))}" if batch else ""
        raise InputError(f"the result{where} is not finite: the numbers are too large.")
    return [result.reshape(*batch, *shape) for result, shape in zip(results, outputs, strict=True)]


def _rows(array: Array, batch: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """(worlds, *shape), contiguous and writable: every other layout would make Numba compile anew."""
    array = np.broadcast_to(array, (*batch, *shape)).reshape(math.prod(batch), *shape)
    if array.flags.c_contiguous and array.flags.writeable and array.flags.aligned:
        return array
    return np.array(array, order="C")
