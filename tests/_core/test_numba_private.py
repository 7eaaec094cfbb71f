"""Kernels as parts, called forms for CUDA, and the plain fallback."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import types

from carpal._core import compile as jit
from carpal._core import numba_private
from carpal._core.numba_private import EntryLibrary, PartLibrary
from carpal.engines.modal.kernels.run import run_modal_steps
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.errors import DeviceError


@jit.leaf
def _square(x):
    return x * x


@jit.kernel
def _sum_of_squares(x, n):
    s = 0.0
    for i in range(n):
        s += _square(x[i])
    return s


@jit.entry
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


@jit.leaf
def _side(x):
    return x * x


@jit.kernel
def _raised(x, times):
    for _ in range(times):
        x = _side(x)
    return x


@jit.entry
def _called_entry(x, start, stop, stride, slot):
    for world in range(start, stop, stride):
        x[world] = _raised(x[world], 1) + _raised(x[world], 2)
    return 0


@pytest.fixture
def forms(monkeypatch: pytest.MonkeyPatch) -> numba_private._Forms:
    """Called forms on a device that is not there; only what is compiled for it is looked at."""
    dispatcher = pytest.importorskip("numba.cuda.dispatcher")

    class Device:
        compute_capability = (9, 0)

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: Device)
    return numba_private._Forms()


def test_the_source_is_the_same_and_other_entries_keep_their_names(forms: numba_private._Forms) -> None:
    called = forms.of(run_modal_steps)
    assert called.py_func.__code__ is run_modal_steps.py_func.__code__
    inner = called.py_func.__globals__["modal_step"]
    assert inner is forms.of(modal_step) and inner is not modal_step
    assert run_modal_steps.py_func.__globals__["modal_step"] is modal_step
    stage = inner.py_func.__globals__["close_gaps"]
    deeper = stage.py_func.__globals__["find_contacts"].py_func.__globals__["nearest"]
    assert isinstance(deeper, type(called))


def test_kernels_are_called_and_leaves_are_not_and_each_is_compiled_once(forms: numba_private._Forms) -> None:
    signature = (types.Array(types.float64, 1, "C"), types.int64, types.int64, types.int64, types.int64)
    forms.of(_called_entry).compile_device(signature)
    (power,) = forms.of(_raised).overloads.values()  # with 1 and with 2: once
    (square,) = forms.of(_side).overloads.values()
    (text,) = (line for line in power.library.get_llvm_str().splitlines() if "define" in line and "_raised" in line)
    assert "noinline" in text
    (text,) = (line for line in square.library.get_llvm_str().splitlines() if "define" in line and "_side" in line)
    assert "noinline" not in text


def test_without_a_device_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = pytest.importorskip("numba.cuda")
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match='device="cuda" was asked for, but no CUDA device was found'):
        numba_private.by_calls(_called_entry)


TWICE = """
from carpal.spatial.kernels.vec3 import cross
print(cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), sum(cross.stats.cache_misses.values()), sum(cross.stats.cache_hits.values()))
"""


def test_of_several_processes_one_compiles_and_the_others_load(tmp_path) -> None:
    """A kernel that Python calls is compiled once, also when two processes ask for it at the same time."""
    environment = {**os.environ, "CARPAL_CACHE_DIR": str(tmp_path), "CARPAL_PLAIN_NUMBA": "0"}
    begun = [
        subprocess.Popen([sys.executable, "-c", TWICE], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = sorted(process.communicate()[0].strip() for process in begun)
    assert said == ["(0.0, 0.0, 1.0) 0 1", "(0.0, 0.0, 1.0) 1 0"]


FALLBACK = """
import numpy as np, carpal
from carpal._core import numba_private
assert numba_private.plain() is {plain}
model = carpal.load("sawyer")
q = np.linspace(-0.5, 0.5, model.nq)
X, tau = carpal.fk(model, q), carpal.inverse_dynamics(model, q, q, q)
print(" ".join(repr(float(x)) for x in [*X.ravel(), *tau]))
"""


def test_the_plain_fallback_gives_the_same_numbers(tmp_path) -> None:
    said = []
    for plain in (False, True):
        environment = {
            **os.environ,
            "CARPAL_PLAIN_NUMBA": str(int(plain)),
            "CARPAL_CACHE_DIR": str(tmp_path / str(plain)),
        }
        code = FALLBACK.format(plain=plain)
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        said.append(np.array([float(word) for word in done.stdout.split()]))
    assert np.abs(said[0] - said[1]).max() < 1e-13


def test_another_numba_is_tried_on_a_small_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARPAL_PLAIN_NUMBA", raising=False)
    monkeypatch.setattr(numba_private.numba, "__version__", "0.99.0")
    assert numba_private.plain.__wrapped__() is False  # the installed one has all that is used

    monkeypatch.setattr(numba_private, "_USED", ("a_method_that_is_gone",))
    assert numba_private.plain.__wrapped__() is True

    monkeypatch.setattr(numba_private, "_USED", ())
    monkeypatch.setattr(numba_private, "_entry", lambda *_: 1 / 0)
    assert numba_private.plain.__wrapped__() is True
