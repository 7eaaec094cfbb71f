"""Kernels as parts of what calls them: compiled to LLVM's code only, not to machine code of their own.

Numba makes a wrapper for Python, one for C, and machine code for every function that another one calls, with all that this one
calls again inside, optimised anew at every level of the calls. Nobody ever runs those: the entry that calls a kernel holds a
copy. Here a part stays as it was written down, and an entry links each of its parts once and optimises all of them together:
a cold start of the planners takes half of the time. A kernel that Python calls (the tests do) is compiled in full, then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference


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
        whole = self.own_module().clone()
        for library in _with_what_they_call(self._linking_libraries):
            if library is not self:
                whole.link_in(_code_of(library), preserve=True)
        return whole

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
    part of this entry for the whole function that another one calls.
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


PartCompiler = _writes_to(PartLibrary, "carpal_part")
EntryCompiler = _writes_to(EntryLibrary, "carpal_entry")


def part_of(function: Any, options: dict[str, Any]) -> Any:
    """The dispatcher of a function that only other compiled functions call."""
    return numba.njit(pipeline_class=PartCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)


def entry_of(function: Any, options: dict[str, Any]) -> Any:
    """The dispatcher of a function that Python calls, kept on disk."""
    dispatcher = numba.njit(cache=True, pipeline_class=EntryCompiler, no_cfunc_wrapper=True, **options)(function)
    kept = {name: value for name, value in dispatcher.targetoptions.items() if name != "no_cfunc_wrapper"}
    dispatcher.targetoptions = kept  # what CUDA reads: it has no wrappers
    return dispatcher
