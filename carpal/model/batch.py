"""The public edge of every kernel: check numbers once, lay them out as kernels want them, run, explain a refusal."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import CarpalError, InputError, unknown_name
from carpal.model.model import Model
from carpal.model.parts import NQ
from carpal.spatial import Array

DEVICES = ("cpu", "cuda")
_FLOAT64 = np.dtype(np.float64)


class Given(NamedTuple):
    """An input of a kernel: its name, its values (*batch, width), and what each component is called."""

    name: str
    values: ArrayLike
    width: int
    labels: tuple[str, ...] = ()


def configuration(model: Model, q: ArrayLike) -> Given:
    """Q (*batch, nq)."""
    return Given("q", q, model.nq, model.joint_names)


def velocity(model: Model, v: ArrayLike, name: str = "v") -> Given:
    """v, vdot or tau (*batch, nv)."""
    return Given(name, v, model.nv, model.joint_names)


def run_batch(
    model: Model,
    entry: Any,
    constants: tuple[Any, ...],
    inputs: Sequence[Given],
    outputs: Sequence[tuple[int, ...]],
    *,
    scratch: int | Sequence[tuple[int, ...]] = 0,
    device: str = "cpu",
    threads: int | None = None,
    world_seconds: float = 1e-6,
) -> list[Array]:
    """Run a compiled entry over any batch shape.

    Args:
        model: whose joints the numbers belong to.
        entry: `entry(*constants, *inputs, *outputs, *scratch, start, stop, stride, slot)`.
        constants: tables and numbers that all worlds share.
        inputs: per-world numbers; their batch shapes are broadcast against each other.
        outputs: shape of each output for one world.
        scratch: columns per body row of one scratch array (0 for none), or the shape of each array for one slot.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
        world_seconds: rough cost of a world, for cutting the work into chunks.

    Returns:
        One array (*batch, *shape) per output.
    """
    if device == "cpu" and (threads is None or threads == 1):
        alone = _run_one(model, entry, constants, inputs, outputs, scratch)
        if alone is not None:
            return alone
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads must be a whole number, 1 or above; got {threads!r}.")
    arrays = [_checked(model, given) for given in inputs]
    try:
        batch = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{g.name} {a.shape}" for g, a in zip(inputs, arrays, strict=True))
        raise InputError(f"these batch shapes do not fit together: {shapes}.") from None
    rows = [_rows(array, batch) for array in arrays]
    worlds = len(rows[0])
    results = [np.empty((worlds, *shape)) for shape in outputs]
    if worlds:
        bad = _run(model, entry, constants, rows, results, scratch, device, threads, world_seconds)
        if bad:
            raise explain_refusal(model, inputs, [row[bad - 1] for row in rows], batch, bad - 1)
    return [result.reshape(*batch, *shape) for result, shape in zip(results, outputs, strict=True)]


def _run_one(
    model: Model,
    entry: Any,
    constants: tuple[Any, ...],
    inputs: Sequence[Given],
    outputs: Sequence[tuple[int, ...]],
    scratch: int | Sequence[tuple[int, ...]],
) -> list[Array] | None:
    """One configuration in plain arrays, the commonest call, without the general path's bookkeeping; None where it is not.

    It is the same entry with a batch of one, so the bits are the same, and a refusal is explained by the general path.
    """
    rows = []
    for given in inputs:
        values = given.values
        if type(values) is not np.ndarray or values.dtype is not _FLOAT64 or values.shape != (given.width,):
            return None
        rows.append(np.array(values, ndmin=2))
    results = [np.empty((1, *shape)) for shape in outputs]
    if entry(*constants, *rows, *results, *_room(model, scratch), 0, 1, 1, 0):
        return None
    return [result[0] for result in results]


class _Kept(threading.local):
    """Scratch of a thread's last calls that asked for much of it: pairs of their list of shapes and the arrays."""

    rooms: tuple[tuple[Sequence[tuple[int, ...]], list[Array]], ...] = ()


_kept = _Kept()
_MOST_KEPT, _WORTH_KEEPING = 4, 2**18
"""How many, and from which size on [bytes]."""


def _room(model: Model, scratch: int | Sequence[tuple[int, ...]]) -> list[Array]:
    """Scratch arrays for one world; a caller that gives the same list of large shapes again gets the same ones.

    Fresh memory costs a page fault every 4 kB: for a scene of 50 contacts more than the step itself.
    """
    if isinstance(scratch, int):
        return [np.empty((1, *shape)) for shape in _shapes(model, scratch)]
    for shapes, room in _kept.rooms:
        if shapes is scratch:
            return room
    room = [np.empty((1, *shape)) for shape in scratch]
    if sum(array.nbytes for array in room) >= _WORTH_KEEPING:
        _kept.rooms = ((scratch, room), *_kept.rooms[: _MOST_KEPT - 1])
    return room


def _shapes(model: Model, scratch: int | Sequence[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
    """Shape of each scratch array for one slot."""
    if not isinstance(scratch, int):
        return scratch
    return [(len(model.tables.joints), scratch)] if scratch else []


def _run(
    model: Model,
    entry: Any,
    constants: tuple[Any, ...],
    rows: list[Array],
    results: list[Array],
    scratch: int | Sequence[tuple[int, ...]],
    device: str,
    threads: int | None,
    world_seconds: float,
) -> int:
    from carpal import _jit

    shapes = _shapes(model, scratch)
    if device == "cuda":
        return _jit.run_on_cuda(entry, (*constants, *rows), tuple(results), shapes, len(rows[0]))
    threads = threads or _jit.cpu_threads()
    arguments = (*constants, *rows, *results, *(np.empty((threads, *shape)) for shape in shapes))
    return _jit.run_on_cpu(entry, arguments, len(rows[0]), threads=threads, world_seconds=world_seconds)


def _checked(model: Model, given: Given) -> Array:
    """As float64 with the right last axis."""
    try:
        array = np.asarray(given.values)
    except ValueError:
        raise InputError(f"{given.name} is not an array of numbers: its rows differ in length.") from None
    if array.dtype.kind not in "fiu":
        raise InputError(f"{given.name} must be real numbers; got dtype {array.dtype}.")
    if array.ndim == 0 or array.shape[-1] != given.width:
        named = f" ({', '.join(given.labels[:12])}{', ...' if len(given.labels) > 12 else ''})" if given.labels else ""
        raise InputError(
            f"{given.name} of model '{model.name}' needs {given.width} numbers on its last axis{named}; "
            f"got shape {array.shape}."
        )
    return array.astype(np.float64, copy=False)


def _rows(array: Array, batch: tuple[int, ...]) -> Array:
    """(worlds, width), contiguous and writable: every other layout would make Numba compile anew."""
    worlds, width = math.prod(batch), array.shape[-1]  # spelled out: -1 has no answer when a width is zero
    array = np.broadcast_to(array, (*batch, width)).reshape(worlds, width)
    if array.flags.c_contiguous and array.flags.writeable and array.flags.aligned:
        return array
    return np.array(array, order="C")


def explain_refusal(
    model: Model, inputs: Sequence[Given], row: Sequence[Array], batch: tuple[int, ...], world: int
) -> CarpalError:
    """Why a kernel refused a world: the first number that is not finite, a zero quaternion, or singular dynamics."""
    where = f" at batch index {tuple(int(i) for i in np.unravel_index(world, batch))}" if batch else ""
    for given, values in zip(inputs, row, strict=True):
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            return InputError(f"{given.name}[{wrong[0]}]{where} is {values[wrong[0]]}; all numbers must be finite.")
    for given, values in zip(inputs, row, strict=True):
        if given.name == "q":
            for (kind, first), name in zip(model.joint_slices(), model.joint_names, strict=True):
                end = first + NQ[kind]
                if kind in ("ball", "free") and not np.linalg.norm(values[end - 4 : end]) > 1e-150:
                    return InputError(
                        f"the quaternion of joint '{name}' (q[{end - 4}:{end}]){where} is zero; "
                        "a neutral one is (1, 0, 0, 0)."
                    )
    return InputError(
        f"the result{where} is not finite: the mass matrix of model '{model.name}' is singular there (a joint that moves "
        "no mass), or the numbers are too large."
    )
