"""Everything that uses parts of Numba which are not public, with plain `njit` in their place where Numba differs.

**Kernels as parts.** Numba makes a wrapper for Python, one for C, and machine code for every function that another one
calls, with all that this one calls again inside, optimised again at every level of the calls. Nobody ever runs those: the
entry that calls a kernel holds a copy. Here a part stays LLVM code, and an entry links each of its parts once and optimises
all of them together: a cold start of the planners takes half of the time. A kernel that Python calls (the tests do) is
compiled in full, then, and kept on disk like an entry; of several processes that need it at once, one compiles and the
others wait for its file. A kernel is compiled once for the types of its arguments, not for each constant it is called with:
Numba takes a constant 6 for a type of its own, and a search for contacts was compiled seven times over for it.

**Called forms for CUDA.** Numba hands everything that an entry calls to NVVM, which inlines most of it into one function: a
step of the modal engine did not finish compiling in eight minutes. In the form that `by_calls` makes, leaves are inlined,
kernels are called, and each kernel is compiled once for the types of its arguments: one minute. A call hands over eleven
numbers for each array, so small entries are better left to NVVM.

**Compiled code on disk** is kept by the hash of a function's file with everything that it imports (`kernel_sources`).

**The plain fallback.** `PLAIN` is true when `CARPAL_PLAIN_NUMBA=1`, or when Numba is not a version that this file was tested
with and lacks something that it uses or fails to compile a small entry. Then kernels and entries are plain `njit`: the same
numbers to the last bits or nearly so, slower to compile.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba

from carpal._core.kernel_sources import closure_hash

TESTED = ("0.68", "0.69")
"""Releases of Numba whose private parts this file was tested with."""

try:
    from numba.core.caching import FunctionCache, NullCache, _CacheLocator
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.dispatcher import Dispatcher
    from numba.core.typed_passes import NopythonTypeInference

    _FOUND = True
except ImportError:  # another Numba
    JITCodeLibrary = Compiler = FunctionPass = Dispatcher = FunctionCache = _CacheLocator = object  # type: ignore[misc, assignment]
    _FOUND = False

_USED = (
    "_raise_if_finalized", "_finalize_dynamic_globals", "_get_module_for_linking", "_optimize_final_module",
    "_ensure_finalized", "enable_object_caching", "finalize",
)  # fmt: skip
"""What is used of Numba's code library."""


class _NoMachine:
    """A code generator that has no machine code to tell the function's environment to."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, env: Any) -> None:
        """Nothing to do: kernels raise nothing and hold no objects."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


class PartLibrary(JITCodeLibrary):
    """Code that waits to be linked into an entry, once, with whatever it calls; LLVM's module passes run there only."""

    @property
    def codegen(self) -> Any:
        """The code generator, without its engine."""
        return _NoMachine(self._codegen)

    def finalize(self) -> None:
        """Nothing is linked in and nothing optimised yet."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def own_module(self) -> Any:
        """Its code without what it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """With all that it calls: for what is no entry."""
        linked = self.own_module().clone()
        for library in _with_what_they_call(self._linking_libraries):
            if library is not self:
                linked.link_in(_code_of(library), preserve=True)
        return linked

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code, so no address."""
        self._ensure_finalized()
        return 0


def _code_of(library: Any) -> Any:
    return library.own_module() if isinstance(library, PartLibrary) else library._get_module_for_linking()


def _with_what_they_call(libraries: Iterable[Any]) -> list[Any]:
    """Libraries and all that their parts call, each of them once."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting += library._linking_libraries if isinstance(library, PartLibrary) else []
    return list(found)


class EntryLibrary(JITCodeLibrary):
    """Code of an entry, in which nobody outside calls its parts.

    Told so, LLVM leaves out arguments that a part does not use, of which Numba hands over many: an array is eleven numbers.
    The parts get names of their own, then: the linker looks for a name in everything that is loaded, and must not take a
    part of this entry for the complete function that another one calls.
    """

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link every part once, and optimise all of it together."""
        for library in _with_what_they_call(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_code_of(library), preserve=True)
        self._linking_libraries = []
        super().finalize()

    def _optimize_final_module(self) -> None:
        defined = [function for function in self._final_module.functions if not function.is_declaration]
        own = "".join(sorted(function.name for function in defined if function.linkage.name == "external"))
        mark = hashlib.sha256(own.encode()).hexdigest()[:16]
        for function in defined:
            if function.linkage.name == "linkonce_odr":
                function.linkage, function.name = "internal", f"{function.name}.{mark}"
        super()._optimize_final_module()


def _writes_to(library: type, name: str) -> Any:
    """A compiler as Numba's, but for the library that it writes to."""

    @register_pass(mutates_CFG=False, analysis_only=False)
    class To(FunctionPass):
        _name = name

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return True

    class OurCompiler(Compiler):
        def define_pipelines(self) -> Any:
            pipelines = super().define_pipelines()
            for pipeline in pipelines:
                pipeline.add_pass_after(To, NopythonTypeInference)
                pipeline.finalize()
            return pipelines

    return OurCompiler


@functools.cache
def _compilers() -> tuple[Any, Any]:
    """Of parts and of entries."""
    return _writes_to(PartLibrary, "carpal_part"), _writes_to(EntryLibrary, "carpal_entry")


def _part(function: Any, options: dict[str, Any]) -> Any:
    """The dispatcher of a function that only other compiled functions call."""
    compiler, _ = _compilers()
    return numba.njit(pipeline_class=compiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)


def _unliteral(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """Types of constants in place of types that are one constant."""
    return tuple(numba.types.unliteral(kind) for kind in kinds)


class SourceLocator(_CacheLocator):
    """Finds a function's compiled code by the hash of its file and of all that the file imports, wherever the file lies."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._line = py_func.__code__.co_firstlineno
        self._stamp = closure_hash(py_file)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """A locator, or None where the file is not there or nothing can be written."""
        try:
            made = cls(py_func, py_file)
            made.ensure_cache_path()
        except OSError:
            return None
        return made

    def get_cache_path(self) -> str:
        """The folder."""
        return str(Path(numba.config.CACHE_DIR) / self._stamp)

    def get_source_stamp(self) -> str:
        """What must be the same for compiled code to be used."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Tells functions of one name in one file apart."""
        return str(self._line)


@functools.cache
def _source_cache() -> Any:
    """Numba's cache of functions, with our locator in place of Numba's."""

    class Implementation(FunctionCache._impl_class):
        _locator_classes = (SourceLocator,)

    class SourceCache(FunctionCache):
        _impl_class = Implementation

    return SourceCache


@contextlib.contextmanager
def _only_process(dispatcher: Any) -> Iterator[None]:
    """One process at a time compiles a function; the others wait and then find it on disk."""
    try:
        import fcntl

        folder = Path(dispatcher._cache.cache_path)
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / f"{dispatcher.py_func.__qualname__}.lock").open("w")
    except (ImportError, OSError, AttributeError):  # Windows, a folder that cannot be written: each compiles for itself
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _on_disk(dispatcher: Any) -> Any:
    """Keep on disk what a dispatcher compiles for Python, from its first call on: finding the folder takes time."""
    compile_now = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        if isinstance(dispatcher._cache, NullCache):
            with contextlib.suppress(RuntimeError):  # no folder can be written
                dispatcher._cache = _source_cache()(dispatcher.py_func)
        with _only_process(dispatcher):
            return compile_now(signature)

    dispatcher.compile = compile_once
    return dispatcher


def _kernel(function: Any, options: dict[str, Any]) -> Any:
    """A dispatcher for Python and CUDA, whose calls from compiled code go to its part."""
    dispatcher = _entry(function, options)
    dispatcher.part = _part(function, options)
    resolve = dispatcher.part.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(_unliteral(args), dict(zip(kws, _unliteral(kws.values()), strict=True)))

    dispatcher.get_call_template, dispatcher.get_overload = get_call_template, dispatcher.part.get_overload
    return dispatcher


def _entry(function: Any, options: dict[str, Any]) -> Any:
    """The dispatcher of a function that Python calls, kept on disk."""
    _, compiler = _compilers()
    dispatcher = _on_disk(numba.njit(pipeline_class=compiler, no_cfunc_wrapper=True, **options)(function))
    kept = {name: value for name, value in dispatcher.targetoptions.items() if name != "no_cfunc_wrapper"}
    dispatcher.targetoptions = kept  # what CUDA reads: it has no wrappers
    return dispatcher


def _small_entry_compiles() -> bool:
    """Whether an entry with one part compiles and gives the right number."""
    options = {"error_model": "numpy", "nogil": True}
    try:
        twice = _kernel(lambda x: 2.0 * x, options)
        return bool(_entry(lambda x: twice(x) + 1.0, options)(3.0) == 7.0)
    except Exception:  # whatever an unknown Numba raises, plain njit works
        return False


@functools.cache
def plain() -> bool:
    """Whether plain `njit` stands in for the private parts."""
    if os.environ.get("CARPAL_PLAIN_NUMBA") == "1":
        return True
    if ".".join(numba.__version__.split(".")[:2]) in TESTED:
        return False
    return not (_FOUND and all(hasattr(JITCodeLibrary, name) for name in _USED) and _small_entry_compiles())


def kernel_of(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """The dispatcher of a kernel: a part of the entries that call it, compiled in full when Python calls it."""
    return numba.njit(**options)(function) if plain() else _kernel(function, options)


def entry_of(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """The dispatcher of an entry, kept on disk."""
    if not plain():
        return _entry(function, options)
    folder = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(Path(folder) / f"plain-{closure_hash(function.__code__.co_filename)}")
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = folder


def machine_code(entry_point: Any, arguments: tuple[Any, ...]) -> Callable[..., int]:
    """What Python calls for the types of these arguments, for which the entry was compiled before."""
    if plain():
        called: Callable[..., int] = entry_point
        return called
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    compiled: Callable[..., int] = entry_point.overloads[kinds].entry_point
    return compiled


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
            """The function's code for NVVM, marked not to be inlined."""
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
    """The form of an entry to give to `cuda_launch.run_on_cuda` so that its kernels are called and not inlined.

    Args:
        entry_point: a function made by `compile.entry`.

    Raises:
        DeviceError: there is no CUDA device.
    """
    from carpal._core.cuda_launch import require_cuda

    require_cuda()
    return entry_point if plain() else _Forms().of(entry_point)
