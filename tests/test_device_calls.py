"""Entries whose kernels are called on the device: one source, other names; what is inlined and what is not."""

from __future__ import annotations

import numpy as np
import pytest
from numba import types

from carpal import _device_calls, _jit
from carpal.engines.modal.kernels.run import run_modal_steps
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.errors import DeviceError


@_jit.leaf
def _square(x):
    return x * x


@_jit.kernel
def _power(x, times):
    for _ in range(times):
        x = _square(x)
    return x


@_jit.entry
def _entry(x, start, stop, stride, slot):
    for world in range(start, stop, stride):
        x[world] = _power(x[world], 1) + _power(x[world], 2)
    return 0


@pytest.fixture
def forms(monkeypatch: pytest.MonkeyPatch) -> _device_calls._Forms:
    """Called forms on a device that is not there; only what is compiled for it is looked at."""
    dispatcher = pytest.importorskip("numba.cuda.dispatcher")

    class Device:
        compute_capability = (9, 0)

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: Device)
    return _device_calls._Forms()


def test_the_source_is_the_same_and_other_entries_keep_their_names(forms: _device_calls._Forms) -> None:
    called = forms.of(run_modal_steps)
    assert called.py_func.__code__ is run_modal_steps.py_func.__code__
    inner = called.py_func.__globals__["modal_step"]
    assert inner is forms.of(modal_step) and inner is not modal_step
    assert run_modal_steps.py_func.__globals__["modal_step"] is modal_step
    deeper = inner.py_func.__globals__["find_contacts"].py_func.__globals__["nearest"]
    assert isinstance(deeper, type(called))


def test_kernels_are_called_and_leaves_are_not_and_each_is_compiled_once(forms: _device_calls._Forms) -> None:
    signature = (types.Array(types.float64, 1, "C"), types.int64, types.int64, types.int64, types.int64)
    forms.of(_entry).compile_device(signature)
    (power,) = forms.of(_power).overloads.values()  # with 1 and with 2: once
    (square,) = forms.of(_square).overloads.values()
    (text,) = (line for line in power.library.get_llvm_str().splitlines() if "define" in line and "_power" in line)
    assert "noinline" in text
    (text,) = (line for line in square.library.get_llvm_str().splitlines() if "define" in line and "_square" in line)
    assert "noinline" not in text


def test_without_a_device_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = pytest.importorskip("numba.cuda")
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match='device="cuda" was asked for, but no CUDA device was found'):
        _device_calls.by_calls(_entry)


def test_arrays_in_both_orders_are_of_one_type() -> None:
    wide, single, none = np.zeros((2, 3)), np.zeros((1, 3)), np.zeros((2, 0))
    kinds = _jit.cuda_types((wide, single, none, np.zeros(3), 4, 0.5))
    assert {kind.layout for kind in kinds[:3]} == {"F"} and len(set(kinds[:3])) == 1
    assert kinds[3:] == (types.Array(types.float64, 1, "C"), types.int64, types.float64)
