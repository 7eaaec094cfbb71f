"""Compiled entries on a GPU: transfers in Fortran order, one lane a world, scratch shared by the lanes."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numba
import numpy as np

from carpal._core.batch import UNGROUPED, Groups
from carpal.errors import DeviceError

THREADS = 64  # of a block
LANES = 132 * 1024  # enough to fill an H200; a million worlds then share 135,168 scratch slots


@functools.cache
def _cuda_kernel(entry_point: Any, kinds: tuple[Any, ...]) -> Any:
    from numba import cuda

    number = numba.types.int64
    signature = numba.types.void(numba.types.Tuple(kinds), numba.types.Array(number, 1, "C"), number, number)

    # optimising again at link time would compile everything twice more, though NVVM has seen it all together; Numba's own
    # CUDA, without numba-cuda, has no such thing
    options = {"lto": False} if "lto" in inspect.signature(cuda.jit).parameters else {}

    @cuda.jit(signature, **options)
    def launch(arguments: Any, status: Any, worlds: int, lanes: int) -> None:  # pragma: no cover - runs on the device
        lane = cuda.grid(1)
        if lane < lanes:
            status[lane] = entry_point(*arguments, lane, worlds, lanes, lane)

    return launch


def cuda_types(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numba's types of arguments as a launch takes them, arrays in Fortran order.

    An array with a single row or column, or none, is in both orders. Left to itself Numba takes it for one in C order,
    and compiles an entry again for a scene with one body.
    """
    return tuple(_cuda_type(x) for x in arguments)


def _cuda_type(x: Any) -> Any:
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return numba.types.NamedTuple(cuda_types(x), type(x))
    if hasattr(x, "dtype") and hasattr(x, "shape") and x.ndim:
        return numba.types.Array(numba.from_dtype(x.dtype), x.ndim, "F" if x.ndim > 1 else "C")
    return numba.typeof(x)


@functools.cache
def _cuda_reorder(dimensions: int) -> Any:
    """A device kernel that copies between C and Fortran order, which the host would do ten times slower."""
    from numba import cuda

    @cuda.jit
    def reorder2(source: Any, target: Any) -> None:  # pragma: no cover - runs on the device
        world = cuda.grid(1)
        if world < source.shape[0]:
            for i in range(source.shape[1]):
                target[world, i] = source[world, i]

    @cuda.jit
    def reorder3(source: Any, target: Any) -> None:  # pragma: no cover - runs on the device
        world = cuda.grid(1)
        if world < source.shape[0]:
            for i in range(source.shape[1]):
                for j in range(source.shape[2]):
                    target[world, i, j] = source[world, i, j]

    return reorder2 if dimensions == 2 else reorder3


def _reordered(cuda: Any, source: Any, order: str) -> Any:
    """A device array copied to the other memory order, on the device."""
    target = cuda.device_array(source.shape, source.dtype, order=order)
    _cuda_reorder(source.ndim)[(source.shape[0] + 127) // 128, 128](source, target)
    return target


def _sent(cuda: Any, value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_sent(cuda, inner) for inner in value))
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim in (2, 3) and value.size > 10_000:
        return _reordered(cuda, cuda.to_device(np.ascontiguousarray(value)), "F")
    return cuda.to_device(np.asfortranarray(value))


@contextlib.contextmanager
def _old_numpy_names() -> Iterator[None]:
    """numba-cuda 0.30 asks for `row_stack` while it is imported, a name that NumPy 2.5 dropped; gone again afterwards."""
    missing = not hasattr(np, "row_stack")
    if missing:
        setattr(np, "row_stack", np.vstack)  # noqa: B010 - the plain assignment would be rewritten by the linter
    try:
        yield
    finally:
        if missing:
            delattr(np, "row_stack")


@functools.cache
def _import_cuda() -> Any:
    """`numba.cuda` with everything that it imports later while compiling."""
    with _old_numpy_names():
        from numba import cuda

        with contextlib.suppress(ImportError):
            from numba.cuda.np import arrayobj  # noqa: F401 - the file that asks for it
    return cuda


def require_cuda() -> Any:
    """The `numba.cuda` module, or one clear sentence."""
    try:
        cuda = _import_cuda()
        available = cuda.is_available()
    except Exception as problem:  # a broken driver raises many kinds
        raise DeviceError(
            f'device="cuda" was asked for, but CUDA did not start: {problem}; use device="cpu".'
        ) from None
    if not available:
        raise DeviceError(
            'device="cuda" was asked for, but no CUDA device was found; use device="cpu", '
            "or install the extra carpal[cuda] on a machine with an NVIDIA GPU."
        )
    return cuda


def run_on_cuda(
    entry_point: Any,
    constants: Sequence[Any],
    inputs: Sequence[np.ndarray],
    outputs: Sequence[np.ndarray],
    scratch: Sequence[tuple[int, ...]],
    worlds: int,
    *,
    groups: Groups = UNGROUPED,
) -> int:
    """Run an entry on the GPU; outputs are filled in place. Same meaning of the result as `run_on_cpu`.

    Args:
        entry_point: a function made by `entry`.
        constants: tables and numbers, in the entry's order.
        inputs: per-world arrays, in the entry's order.
        outputs: host arrays to fill.
        scratch: shape of each scratch array for one slot.
        worlds: number of worlds.
        groups: how the entry takes inputs, outputs and scratch.

    Arrays travel in Fortran order, so that neighbouring lanes read neighbouring numbers.
    """
    cuda = require_cuda()
    tables = [_sent(cuda, x) for x in constants]
    sent = [_sent(cuda, x) for x in inputs]
    received = [cuda.device_array(x.shape, x.dtype, order="F") for x in outputs]
    lanes = _lanes(cuda, worlds, scratch)
    work = [cuda.device_array((lanes, *shape), np.float64, order="F") for shape in scratch]
    status = cuda.to_device(np.zeros(lanes, np.int64))
    arguments = (*tables, *groups.arguments(sent, received, work))
    launch = _cuda_kernel(entry_point, cuda_types(arguments))[(lanes + THREADS - 1) // THREADS, THREADS]
    launch(arguments, status, worlds, lanes)
    for host, device in zip(outputs, received, strict=True):
        (_reordered(cuda, device, "C") if device.ndim in (2, 3) else device).copy_to_host(host)
    refused = status.copy_to_host()
    return int(refused[refused > 0].min()) if refused.any() else 0


def _lanes(cuda: Any, worlds: int, scratch: Sequence[tuple[int, ...]]) -> int:
    """As many as fill the device, or as half of its free memory has scratch for."""
    lanes = min(worlds, LANES)
    slot_bytes = 8 * sum(int(np.prod(shape)) for shape in scratch)
    if slot_bytes:
        free, _ = cuda.current_context().get_memory_info()
        lanes = max(1, min(lanes, free // 2 // slot_bytes))
    return lanes
