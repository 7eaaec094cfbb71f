"""The one place where compile options live: `kernel`, `leaf`, `entry`, and the folder of compiled code.

A *kernel* is a plain function on one world. An *entry* is the loop over worlds that the outside calls:
`entry(*arrays_and_numbers, start, stop, stride, slot) -> bad`, where `bad` is 0 or 1 + the index of a world that was
refused. A CPU thread calls it with its own chunk and slot (`cpu_pool`); a GPU lane calls the same function with
`start = slot = lane` and `stride = lanes` (`cuda_launch`). So one source serves both devices, and a single call is a batch
of one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from carpal._core.kernel_sources import kernels_hash as kernels_hash
from carpal._core.numba_private import entry_of, kernel_of, machine_code

OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True, "_nrt": False}


def _cache_folder() -> Path:
    base = os.environ.get("CARPAL_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "carpal" / f"numba{numba.__version__}-py{sys.version_info.minor}"


numba.config.CACHE_DIR = str(_cache_folder())
numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a single call is a batch of one, on the GPU too


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that works on one world; it is inlined or called by entries, and kept on disk when Python calls it."""
    return kernel_of(function, OPTIONS)


def leaf(function: Callable[..., Any]) -> Any:
    """A small kernel that LLVM must inline; left to itself it called each 3-vector operation by pointer (1.6 x slower).

    This is LLVM's inlining of finished code, not Numba's `inline="always"`, which compiles the body again at each site.
    """
    return kernel_of(function, {"forceinline": True} | OPTIONS)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a loop over worlds and keep the machine code on disk."""
    return entry_of(function, OPTIONS)


def direct(entry_point: Any, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """The machine code of an entry for the types of these arguments, called without Numba's look at them on every call.

    For callers that ask one world after the other, with arrays of which they know that types and layouts stay the same:
    nothing checks them any more. Half a microsecond a call is saved for thirteen arrays.

    Args:
        entry_point: a function made by `entry`.
        arguments: all of them, as in a call; it is called with them once.
    """
    entry_point(*arguments)
    return machine_code(entry_point, arguments)


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
