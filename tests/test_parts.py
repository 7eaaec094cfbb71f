"""Kernels as parts: no machine code of their own, the same numbers inside an entry and from Python."""

from __future__ import annotations

import numba
import numpy as np

from carpal import _jit
from carpal._parts import EntryLibrary, PartLibrary


@_jit.leaf
def _square(x):
    return x * x


@_jit.kernel
def _sum_of_squares(x, n):
    s = 0.0
    for i in range(n):
        s += _square(x[i])
    return s


@_jit.entry
def _entry(x, out, start, stop, stride, slot):
    for world in range(start, stop, stride):
        out[world] = _sum_of_squares(x, x.shape[0])
    return 0


def test_an_entry_holds_its_parts(tmp_path):
    x, out = np.arange(4.0), np.zeros(2)
    assert _entry(x, out, 0, 2, 1, 0) == 0
    assert out.tolist() == [14.0, 14.0]
    (compiled,) = _entry.overloads.values()
    if isinstance(compiled.library, EntryLibrary):  # not when it came from the cache
        names = [f.name for f in compiled.library.get_defined_functions() if f.linkage.name == "linkonce_odr"]
        assert not names, "nobody outside may call what is inside"
        (part,) = _sum_of_squares.part.overloads.values()
        assert isinstance(part.library, PartLibrary)
        assert part.library.get_pointer_to_function("any") == 0
        assert part.library.codegen.target_data is not None


def test_a_part_holds_its_own_code_alone_until_it_is_linked():
    x, out = np.arange(4.0), np.zeros(2)
    _entry(x, out, 0, 2, 1, 0)
    _sum_of_squares.part.compile((numba.float64[::1], numba.int64))
    library = next(iter(_sum_of_squares.part.overloads.values())).library
    own = [f.name for f in library.own_module().functions if not f.is_declaration]
    whole = [f.name for f in library._get_module_for_linking().functions if not f.is_declaration]
    assert any("_sum_of_squares" in name for name in own) and not any("_square" in n and "_sum" not in n for n in own)
    assert any("_square" in name and "_sum" not in name for name in whole), "what is no entry gets all of it"


def test_what_is_no_entry_may_call_a_kernel():
    @numba.njit
    def twice(x):
        return 2.0 * _sum_of_squares(x, x.shape[0])

    assert twice(np.arange(3.0)) == 10.0


def test_a_kernel_can_be_called_from_python_too():
    x = np.arange(3.0)
    assert _sum_of_squares(x, 3) == 5.0
    assert _sum_of_squares.signatures, "compiled in full, now that Python asked"
    assert _square(3.0) == 9.0


def test_what_cuda_reads_of_an_entry_has_no_wrappers():
    assert not any("wrapper" in name for name in _entry.targetoptions)
    assert not any("wrapper" in name for name in _sum_of_squares.targetoptions)
