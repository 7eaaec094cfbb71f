"""The one runner of compiled entries: check numbers once, lay them out as kernels want them, run, explain a refusal."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import Array, finite_array, real_array
from carpal._core.cpu_pool import cpu_threads, run_on_cpu
from carpal.errors import CarpalError, InputError, unknown_name

DEVICES = ("cpu", "cuda")
QUATERNION_END = {"ball": 4, "free": 7}
"""Where the quaternion of a joint ends, counted from the joint's first coordinate."""
_FLOAT64 = np.dtype(np.float64)


class KernelInput(NamedTuple):
    """An input of a kernel: its name, its values (*batch, *shape), the shape for one world, names of its components."""

    name: str
    values: ArrayLike
    shape: tuple[int, ...]
    labels: tuple[str, ...] = ()


class Groups(NamedTuple):
    """How an entry takes its arrays: each of the three kinds one after the other (None), or as what a function makes of them.

    Such a function is a NamedTuple's class, or one that makes a NamedTuple of NamedTuples from arrays in their order.
    """

    inputs: Callable[..., Any] | None = None
    outputs: Callable[..., Any] | None = None
    scratch: Callable[..., Any] | None = None

    def arguments(self, inputs: Sequence[Any], outputs: Sequence[Any], scratch: Sequence[Any]) -> tuple[Any, ...]:
        """The entry's arguments between its constants and `start`."""
        first, second, third = self
        return (
            *(inputs if first is None else (first(*inputs),)),
            *(outputs if second is None else (second(*outputs),)),
            *(scratch if third is None else (third(*scratch),)),
        )


UNGROUPED = Groups()


def configuration(model: Any, q: ArrayLike) -> KernelInput:
    """`q` (*batch, nq)."""
    return KernelInput("q", q, (model.nq,), model.joint_names)


def velocity(model: Any, v: ArrayLike, name: str = "v") -> KernelInput:
    """`v`, `vdot` or `tau` (*batch, nv)."""
    return KernelInput(name, v, (model.nv,), model.joint_names)


def check_where(device: str, threads: int | None) -> None:
    """Refuse what is no device and what is no number of threads."""
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads must be a whole number, 1 or above; got {threads!r}.")


def on_processor_only(what: str, device: str, threads: int | None) -> None:
    """Refuse another device than the processor for what has no kernel."""
    check_where(device, threads)
    if device != "cpu":
        raise InputError(f"{what} run on device 'cpu' only; got {device!r}.")


def run_batch(
    model: Any,
    entry: Any,
    constants: tuple[Any, ...],
    inputs: Sequence[KernelInput],
    outputs: Sequence[tuple[int, ...]],
    *,
    scratch: int | Sequence[tuple[int, ...]] = 0,
    groups: Groups = UNGROUPED,
    device: str = "cpu",
    threads: int | None = None,
    world_seconds: float = 1e-6,
) -> list[Array]:
    """Run a compiled entry over any batch shape.

    Args:
        model: whose joints the numbers belong to; its entries refuse worlds with numbers that are not finite. None for
            entries that belong to no model: their inputs are checked here.
        entry: `entry(*constants, *inputs, *outputs, *scratch, start, stop, stride, slot)`.
        constants: tables and numbers that all worlds share.
        inputs: per-world numbers; their batch shapes are broadcast against each other.
        outputs: shape of each output for one world.
        scratch: columns per body row of one scratch array (0 for none), or the shape of each array for one slot.
        groups: how an entry takes its inputs, its outputs and its scratch: one after the other, or each as a named tuple.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
        world_seconds: rough cost of a world, for cutting the work into chunks.

    Returns:
        One array (*batch, *shape) per output.
    """
    if model is not None and device == "cpu" and (threads is None or threads == 1):
        alone = _run_one(model, entry, constants, inputs, outputs, scratch, groups)
        if alone is not None:
            return alone
    check_where(device, threads)
    arrays = [_checked(model, given) for given in inputs]
    try:
        batch = np.broadcast_shapes(*(a.shape[: a.ndim - len(g.shape)] for g, a in zip(inputs, arrays, strict=True)))
    except ValueError:
        shapes = ", ".join(f"{g.name} {a.shape}" for g, a in zip(inputs, arrays, strict=True))
        raise InputError(f"these batch shapes do not fit together: {shapes}.") from None
    rows = [_rows(array, batch, given.shape) for given, array in zip(inputs, arrays, strict=True)]
    worlds = math.prod(batch)
    results = [np.empty((worlds, *shape)) for shape in outputs]
    if worlds:
        bad = _run(model, entry, constants, rows, results, scratch, groups, device, threads, world_seconds)
        if bad:
            raise explain_refusal(model, inputs, [row[bad - 1] for row in rows], batch, bad - 1)
    return [result.reshape(*batch, *shape) for result, shape in zip(results, outputs, strict=True)]


def _run_one(
    model: Any,
    entry: Any,
    constants: tuple[Any, ...],
    inputs: Sequence[KernelInput],
    outputs: Sequence[tuple[int, ...]],
    scratch: int | Sequence[tuple[int, ...]],
    groups: Groups,
) -> list[Array] | None:
    """One configuration in plain arrays, the commonest call, without the general path's bookkeeping; None where it is not.

    It is the same entry with a batch of one, so the bits are the same, and a refusal is explained by the general path.
    """
    rows = []
    for given in inputs:
        values = given.values
        if type(values) is not np.ndarray or values.dtype is not _FLOAT64 or values.shape != given.shape:
            return None
        rows.append(np.array(values, ndmin=values.ndim + 1))
    results = [np.empty((1, *shape)) for shape in outputs]
    arrays = (*groups.arguments(rows, results, _room(model, scratch)), 0, 1, 1, 0)
    if entry(*constants, *arrays) if groups is UNGROUPED else _call_grouped(entry, constants, arrays):
        return None
    return [result[0] for result in results]


class _Known(NamedTuple):
    """Machine code that fits some constants, which are held so that no other object gets their identity."""

    code: Callable[..., int]
    constants: tuple[Any, ...]


_known: dict[tuple[Any, ...], _Known] = {}
_MOST_KNOWN = 256


def _call_grouped(entry: Any, constants: tuple[Any, ...], arrays: tuple[Any, ...]) -> int:
    """Call an entry that takes named tuples, from the second call with the same tables on without Numba's dispatch.

    Numba types each field of a named tuple in Python on every call: 15 us for four tables, as long as a step of an arm.
    Tables of constants are recognised by identity, numbers by their type; `arrays` were made here, float64 and contiguous.
    """
    key = (entry, *(id(x) if isinstance(x, tuple | np.ndarray) else type(x) for x in constants))
    known = _known.get(key)
    if known is not None:
        return known.code(*constants, *arrays)
    from carpal._core.numba_private import machine_code

    bad: int = entry(*constants, *arrays)
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[key] = _Known(machine_code(entry, (*constants, *arrays)), constants)
    return bad


class _Kept(threading.local):
    """Scratch of a thread's last calls that asked for much of it: pairs of their list of shapes and the arrays."""

    rooms: tuple[tuple[Sequence[tuple[int, ...]], list[Array]], ...] = ()


_kept = _Kept()
_MOST_KEPT, _WORTH_KEEPING = 4, 2**18
"""How many, and from which size on [bytes]."""


def _room(model: Any, scratch: int | Sequence[tuple[int, ...]]) -> list[Array]:
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


def _shapes(model: Any, scratch: int | Sequence[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
    """Shape of each scratch array for one slot."""
    if not isinstance(scratch, int):
        return scratch
    return [(len(model.tables.joints), scratch)] if scratch else []


def _run(
    model: Any,
    entry: Any,
    constants: tuple[Any, ...],
    rows: list[Array],
    results: list[Array],
    scratch: int | Sequence[tuple[int, ...]],
    groups: Groups,
    device: str,
    threads: int | None,
    world_seconds: float,
) -> int:
    shapes = _shapes(model, scratch)
    if device == "cuda":
        from carpal._core.cuda_launch import run_on_cuda

        return run_on_cuda(entry, constants, rows, results, shapes, len(rows[0]), groups=groups)
    threads = threads or cpu_threads()
    work = [np.empty((threads, *shape)) for shape in shapes]
    arguments = (*constants, *groups.arguments(rows, results, work))
    return run_on_cpu(entry, arguments, len(rows[0]), threads=threads, world_seconds=world_seconds)


def _checked(model: Any, given: KernelInput) -> Array:
    """As float64 with the right last axes; without a model also finite."""
    if model is None:
        return finite_array(given.name, given.values, given.shape)
    array = real_array(given.name, given.values)
    if array.ndim < len(given.shape) or array.shape[array.ndim - len(given.shape) :] != given.shape:
        named = f" ({', '.join(given.labels[:12])}{', ...' if len(given.labels) > 12 else ''})" if given.labels else ""
        wanted = " x ".join(map(str, given.shape))
        axes = "its last axis" if len(given.shape) == 1 else "its last axes"
        raise InputError(
            f"{given.name} of model '{model.name}' needs {wanted} numbers on {axes}{named}; got shape {array.shape}."
        )
    return array.astype(np.float64, copy=False)


def _rows(array: Array, batch: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """(worlds, *shape), contiguous and writable: Numba would compile the entry again for every other layout."""
    array = np.broadcast_to(array, (*batch, *shape)).reshape(math.prod(batch), *shape)
    if array.flags.c_contiguous and array.flags.writeable and array.flags.aligned:
        return array
    return np.array(array, order="C")


def explain_refusal(
    model: Any, inputs: Sequence[KernelInput], row: Sequence[Array], batch: tuple[int, ...], world: int
) -> CarpalError:
    """Why a kernel refused a world: the first number that is not finite, a zero quaternion, or singular dynamics."""
    where = f" at batch index {tuple(int(i) for i in np.unravel_index(world, batch))}" if batch else ""
    for given, values in zip(inputs, row, strict=True):
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            return InputError(f"{given.name}[{wrong[0]}]{where} is {values[wrong[0]]}; all numbers must be finite.")
    if model is None:
        return InputError(f"the result{where} is not finite: the numbers are too large.")
    for given, values in zip(inputs, row, strict=True):
        if given.name == "q":
            for (kind, first), name in zip(model.joint_slices(), model.joint_names, strict=True):
                end = first + QUATERNION_END.get(kind, 0)
                if kind in QUATERNION_END and not np.linalg.norm(values[end - 4 : end]) > 1e-150:
                    return InputError(
                        f"the quaternion of joint '{name}' (q[{end - 4}:{end}]){where} is zero; "
                        "a neutral one is (1, 0, 0, 0)."
                    )
    return InputError(
        f"the result{where} is not finite: the mass matrix of model '{model.name}' is singular there (a joint that moves "
        "no mass), or the numbers are too large."
    )
