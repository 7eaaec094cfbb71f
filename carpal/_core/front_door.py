"""The front door of every room: names are imported when they are first used, and calls through them are checked.

A public name is one that the room's `__init__.pyi` lists. Calls of its function, or of its class's constructor, are checked
against its own annotations (`argument_checks`). Where a function refuses a bad value itself, its own sentence is given: it
knows more. Calls from inside the package are not checked, and what a caller's own function raises passes unchanged. Functions
that call kernels on batches check their arrays themselves, and the rest is judged only where they fail.
"""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import lazy_loader

from carpal.errors import CarpalError, InputError

CHECKED = "_calls_are_checked"
INSIDE = "carpal."
PASSING = {"copy", "copyreg", "dataclasses", "pickle", "cloudpickle", "multiprocessing", "concurrent", "distributed"}
"""Modules that build again what was built before: their calls are not checked."""
OURS = str(Path(__file__).parents[1]) + os.sep
LIBRARIES = (sysconfig.get_path("stdlib") + os.sep, "<frozen", "<__", "<string>")
INSTALLED = f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}"
"""Folders of installed packages, wherever they stand: an environment may use those of another one, or of the user."""


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the `.pyi` beside its `__init__.py` (SPEC 1)."""
    find, names, public = lazy_loader.attach_stub(package, file)

    def checked(name: str) -> Any:
        thing = check_calls(find(name))
        vars(sys.modules[package])[name] = thing
        return thing

    return checked, names, public


def check_calls(thing: Any) -> Any:
    """A public function with its calls checked, or a class with those of its constructor; anything else unchanged."""
    function: Any = thing
    if type(thing) is FunctionType and not hasattr(thing, CHECKED):
        home = sys.modules[thing.__module__]
        if getattr(home, thing.__name__, None) is thing and home.__name__.startswith(INSIDE):
            batched = "run_batch" in vars(home)  # checks its own arrays, and a call of 2 us would feel another check
            checked = (
                _explained(function, function.__name__) if batched else _checked(function, function.__name__, nan=False)
            )
            setattr(home, function.__name__, checked)  # pickle looks for it there
            return checked
    elif isinstance(thing, type) and not issubclass(thing, BaseException):
        _check_constructor(thing)
    return thing


def _check_constructor(thing: Any) -> None:
    """Check the calls of `__init__`, or of a named tuple's `__new__`; results may hold NaN."""
    method = "__new__" if issubclass(thing, tuple) else "__init__"
    owner = next(cls for cls in thing.__mro__ if method in vars(cls))
    build: Any = vars(owner)[method]
    build = getattr(build, "__func__", build)
    plain = owner.__module__.startswith(INSIDE) and not getattr(thing, "_is_protocol", False)
    if plain and isinstance(build, FunctionType) and not hasattr(build, CHECKED):
        result = any(cls.__name__ == "Result" for cls in thing.__mro__)
        setattr(owner, method, _checked(build, "", nan=result))


def _inside() -> bool:
    """Whether a checked call comes from the package, or from what copies and unpickles."""
    caller = sys._getframe(2).f_globals.get("__name__", "")
    return caller.startswith(INSIDE) or caller.partition(".")[0] in PASSING


def _explained(function: FunctionType, name: str) -> Callable[..., Any]:
    """The function; what Python raises inside because of an argument becomes a sentence about that argument."""

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            answer = function(*args, **named)
            for value in named.values():  # arrays are checked inside; a switch may have been given what is none
                if value.__class__ is float and value != value:
                    from carpal._core.argument_checks import kept_fault

                    fault = None if _inside() else kept_fault(function, args, named, nan=False)
                    if fault is not None:
                        raise _refusal(name, args, fault)
            return answer
        except CarpalError:
            raise
        except Exception as problem:
            refusal = None if _inside() else _explanation(function, name, args, named, problem)
            if refusal is None:
                raise
            raise refusal from problem

    setattr(call, CHECKED, True)
    return call


def _checked(function: FunctionType, name: str, nan: bool) -> Callable[..., Any]:
    """The same behind early checks of numbers, text and arrays; results may hold NaN (`nan`)."""
    checks: list[Any] = []  # read from the annotations by the first call

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if _inside():
            return function(*args, **named)
        from carpal._core.argument_checks import Endless, early_checks, first_fault, kept_fault

        if not checks:
            checks.append(early_checks(function, nan))
        fault = first_fault(checks[0], args, named)
        if isinstance(fault, Endless):
            raise _refusal(name, args, fault)
        try:
            answer = function(*args, **named)
        except CarpalError:  # the function's own sentence knows more
            raise
        except Exception as problem:
            refusal = _refusal(name, args, fault) if fault else _explanation(function, name, args, named, problem)
            if refusal is None:
                raise
            raise refusal from problem
        fault = fault or kept_fault(function, args, named, nan)
        if fault is not None:
            raise _refusal(name, args, fault)
        return answer

    setattr(call, CHECKED, True)
    return call


def _refusal(name: str, args: tuple[Any, ...], fault: str) -> InputError:
    """A constructor has no name of its own: its class is read off the instance."""
    of = "" if name else args[0].__name__ if isinstance(args[0], type) else type(args[0]).__name__
    return InputError(f"{name or of}: {fault}")


def _explanation(
    function: FunctionType, name: str, args: tuple[Any, ...], named: dict[str, Any], problem: Exception
) -> InputError | None:
    """The sentence about the argument that is the cause; None where no argument explains what was raised."""
    from carpal._core.argument_checks import late_fault

    fault = None if _raised_by_caller(problem) else late_fault(function, args, named, problem)
    return None if fault is None else _refusal(name, args, fault)


def _raised_by_caller(problem: Exception) -> bool:
    """Whether a frame of the caller's own code, a callback, is below the public call."""
    trace = problem.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        compiled = not os.path.isabs(file) and not file.startswith("<")  # what Cython calls its sources
        library = file.startswith((OURS, *LIBRARIES)) or any(folder in file for folder in INSTALLED)
        if not compiled and not library:
            return True
        trace = trace.tb_next
    return False
