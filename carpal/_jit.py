"""The one place where compile options live: `kernel`, `entry`, the CPU pool, the CUDA launch, the cache folder.

A *kernel* is a plain function on one world. An *entry* is the loop over worlds that the outside calls:
`entry(*arrays_and_numbers, start, stop, stride, slot) -> bad`, where `bad` is 0 or 1 + the index of a world that was
refused. A CPU thread calls it with its own chunk and slot; a GPU lane calls the very same function with
`start = slot = lane` and `stride = lanes`. So one source serves both devices and a single call is a batch of one.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 still asks for a name that NumPy 2.5 dropped
    setattr(np, "row_stack", np.vstack)  # noqa: B010 - the plain assignment would be rewritten by the linter

import numba
from numba.core import event

from carpal._parts import entry_of, part_of
from carpal.errors import DeviceError

CHUNK_SECONDS = 0.2  # Ctrl-C and progress are served between chunks
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True, "_nrt": False}


def kernels_hash(*folders: str) -> str:
    """Hash of every compiled source, or of those in some folders; the cache and the GPU evidence are keyed by it."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    places = [root / folder for folder in folders] or [root]
    own = [path for path in (root / "_jit.py", root / "_parts.py") if path.exists()]
    for path in [*own, *sorted(path for place in places for path in place.glob("**/kernels/*.py"))]:
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    # Numba's own index only watches the file of the entry, not of the kernels that it calls.
    base = os.environ.get("CARPAL_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "carpal" / f"kernels-{kernels_hash()}-numba{numba.__version__}-py{sys.version_info.minor}"


numba.config.CACHE_DIR = str(_cache_folder())
numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a single call is a batch of one, on the GPU too


def _one_version(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a kernel once for the types of its arguments, not anew for each constant that somebody calls it with.

    Numba takes a constant 6 for a type of its own; a search for contacts was compiled seven times over for it. What other
    kernels call is a part of them (`_parts.py`); the dispatcher itself is for Python and for CUDA.
    """
    dispatcher = numba.njit(**options, **_OPTIONS)(function)
    dispatcher.part = part_of(function, options | _OPTIONS)
    resolve = dispatcher.part.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        plain = tuple(numba.types.unliteral(kind) for kind in args)
        return resolve(plain, {name: numba.types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template, dispatcher.get_overload = get_call_template, dispatcher.part.get_overload
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that works on one world; it is inlined or called by entries and never cached itself."""
    return _one_version(function)


def leaf(function: Callable[..., Any]) -> Any:
    """A small kernel that LLVM must inline; left to itself it called each 3-vector operation by pointer (1.6 x slower).

    This is LLVM's inlining of finished code, not Numba's `inline="always"`, which compiles the body anew at each site.
    """
    return _one_version(function, forceinline=True)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a loop over worlds and keep the machine code on disk."""
    return entry_of(function, _OPTIONS)


def direct(entry_point: Any, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """The machine code of an entry for the types of these arguments, called without Numba's look at them on every call.

    For callers that ask one world after the other, with arrays of which they know that types and layouts stay the same:
    nothing checks them any more. Half a microsecond a call is saved for thirteen arrays.

    Args:
        entry_point: a function made by `entry`.
        arguments: all of them, as in a call; it is called with them once.
    """
    entry_point(*arguments)
    types = tuple(numba.typeof(argument) for argument in arguments)
    compiled: Callable[..., int] = entry_point.overloads[types].entry_point
    return compiled


class _SayThatItCompiles(event.Listener):
    """One line on stderr at the first real compilation, so that nobody thinks the program hangs."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said and not isinstance(event.data["dispatcher"], str):
            type(self).said = True
            print("carpal: compiling kernels for this machine (once, up to a minute) ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing to say: the answer itself follows."""


event.register("numba:compile", _SayThatItCompiles())


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=threads, thread_name_prefix="carpal")


def cpu_threads() -> int:
    """Cores this process may use; `CARPAL_THREADS` overrides."""
    wanted = os.environ.get("CARPAL_THREADS")
    if wanted and wanted.isdigit():
        return max(1, int(wanted))
    # the cores that this process may use are fewer than the machine's in a container; only Linux tells
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_on_cpu(entry_point: Any, arguments: tuple[Any, ...], worlds: int, *, threads: int, world_seconds: float) -> int:
    """Run an entry over all worlds in chunks; returns 0 or 1 + the lowest refused world.

    Args:
        entry_point: a function made by `entry`.
        arguments: everything before `start, stop, stride, slot`; scratch arrays need `threads` slots.
        worlds: number of worlds.
        threads: how many chunks run at a time.
        world_seconds: rough cost of one world [s]; sets the chunk length, never the result.
    """
    chunk = max(1, min(worlds, int(CHUNK_SECONDS / world_seconds)))
    if threads == 1 or worlds * world_seconds < 1e-3:
        for start in range(0, worlds, chunk):
            bad = entry_point(*arguments, start, min(start + chunk, worlds), 1, 0)
            if bad:
                return int(bad)
        return 0
    chunk = max(1, min(chunk, -(-worlds // threads)))
    starts = range(0, worlds, chunk)
    stop = threading.Event()

    def work(slot: int) -> int:
        for start in starts[slot::threads]:
            if stop.is_set():
                break
            bad = entry_point(*arguments, start, min(start + chunk, worlds), 1, slot)
            if bad:
                return int(bad)
        return 0

    try:
        refused = [bad for bad in _pool(threads).map(work, range(threads)) if bad]
    except BaseException:  # Ctrl-C: the other threads end with the chunk they are on
        stop.set()
        raise
    return min(refused) if refused else 0


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
    and compiles an entry anew for a scene with one body.
    """
    return tuple(
        numba.types.Array(numba.from_dtype(x.dtype), x.ndim, "F" if x.ndim > 1 else "C")
        if hasattr(x, "dtype") and hasattr(x, "shape") and x.ndim
        else numba.typeof(x)
        for x in arguments
    )


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
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim in (2, 3) and value.size > 10_000:
        return _reordered(cuda, cuda.to_device(np.ascontiguousarray(value)), "F")
    return cuda.to_device(np.asfortranarray(value))


def require_cuda() -> Any:
    """The `numba.cuda` module, or one clear sentence."""
    try:
        from numba import cuda

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
    inputs: tuple[Any, ...],
    outputs: tuple[np.ndarray, ...],
    scratch: Sequence[tuple[int, ...]],
    worlds: int,
) -> int:
    """Run an entry on the GPU; outputs are filled in place. Same meaning of the result as `run_on_cpu`.

    Args:
        entry_point: a function made by `entry`.
        inputs: tables, numbers and per-world arrays, in the entry's order.
        outputs: host arrays to fill.
        scratch: shape of each scratch array for one slot.
        worlds: number of worlds.

    Arrays travel in Fortran order, so that neighbouring lanes read neighbouring numbers.
    """
    cuda = require_cuda()
    sent = [_sent(cuda, x) for x in inputs]
    received = [cuda.device_array(x.shape, x.dtype, order="F") for x in outputs]
    lanes = min(worlds, LANES)
    slot_bytes = 8 * sum(int(np.prod(shape)) for shape in scratch)
    if slot_bytes:
        free, _ = cuda.current_context().get_memory_info()
        lanes = max(1, min(lanes, free // 2 // slot_bytes))
    work = [cuda.device_array((lanes, *shape), np.float64, order="F") for shape in scratch]
    status = cuda.to_device(np.zeros(lanes, np.int64))
    threads = 64
    arguments = (*sent, *received, *work)
    launch = _cuda_kernel(entry_point, cuda_types(arguments))[(lanes + threads - 1) // threads, threads]
    launch(arguments, status, worlds, lanes)
    for host, device in zip(outputs, received, strict=True):
        (_reordered(cuda, device, "C") if device.ndim in (2, 3) else device).copy_to_host(host)
    refused = status.copy_to_host()
    return int(refused[refused > 0].min()) if refused.any() else 0
