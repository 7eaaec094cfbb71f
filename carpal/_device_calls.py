"""An entry for CUDA whose kernels stay functions that are called, for entries too large to be compiled in one piece.

Numba hands everything that an entry calls to NVVM, which puts most of it into one function: a step of the modal engine did
not come out in eight minutes. Here leaves are put in where they are used and kernels are called, and each kernel is
compiled once for the types of its arguments, not anew for each constant (`_jit._one_version` does the same for the CPU):
one minute. A call hands over eleven numbers for each array, so small entries are better left to NVVM.

The source is the same one. What differs is what the names in it stand for: copies of the functions look them up in copies
of their modules' names, in which each kernel is its called form. Other entries keep theirs.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher

from carpal._jit import require_cuda


@functools.cache
def _called_dispatcher() -> Any:
    """The class of dispatchers for functions that are called; made when CUDA is asked for, as it may not be there."""
    from numba.cuda.dispatcher import CUDADispatcher

    class Called(CUDADispatcher):
        def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            """Typing of a call, by the types of constants and not by their values."""
            plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
            return super().get_call_template(tuple(numba.types.unliteral(kind) for kind in args), plain)

        def compile_device(self, args: tuple[Any, ...], return_type: Any = None) -> Any:
            """The function's code for NVVM, with the wish not to be put into its callers."""
            known = args in self.overloads
            result = super().compile_device(args, return_type)
            if not known and not self.targetoptions.get("forceinline"):
                result.library.get_function(result.fndesc.llvm_func_name).attributes.add("noinline")
            return result

    return Called


class _Forms:
    """The called forms of an entry's kernels, each made once."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.names: dict[int, dict[str, Any]] = {}

    def of(self, dispatcher: Any) -> Any:
        """The called form of a kernel, a leaf or an entry."""
        if id(dispatcher) not in self.made:
            source = dispatcher.py_func
            copy = types.FunctionType(source.__code__, self._names(source.__globals__), source.__name__)
            copy.__module__, copy.__qualname__ = source.__module__, source.__qualname__
            options = {**dispatcher.targetoptions, "device": True, "debug": False, "opt": True}
            self.made[id(dispatcher)] = _called_dispatcher()(copy, options)
        return self.made[id(dispatcher)]

    def _names(self, names: dict[str, Any]) -> dict[str, Any]:
        if id(names) not in self.names:
            copy = self.names[id(names)] = dict(names)  # kept before it is filled: modules name each other
            for name, value in names.items():
                if isinstance(value, Dispatcher):
                    copy[name] = self.of(value)
        return self.names[id(names)]


@functools.cache
def by_calls(entry_point: Any) -> Any:
    """The form of an entry to give to `_jit.run_on_cuda` so that its kernels are called and not put into one another.

    Args:
        entry_point: a function made by `_jit.entry`.

    Raises:
        DeviceError: there is no CUDA device.
    """
    require_cuda()
    return _Forms().of(entry_point)
