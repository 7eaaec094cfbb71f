"""The compile options' one home: options, constants, direct calls."""

from __future__ import annotations

import numpy as np

from carpal._core import compile as jit


def test_compile_options_keep_nan_and_division_by_zero() -> None:
    @jit.kernel
    def divide(a, b):
        return a / b

    assert np.isnan(divide(0.0, 0.0))
    assert divide(1.0, 0.0) == np.inf
    assert jit.entry(divide.py_func).targetoptions["nogil"]


def test_a_kernel_is_compiled_once_for_all_constants():
    @jit.kernel
    def kernel(a, b):
        return a + b

    @jit.kernel
    def caller(a):
        return kernel(a, 1) + kernel(2, a) + kernel(3, 4)

    assert caller(10) == 11 + 12 + 7
    assert len(kernel.part.signatures) == 1
    assert not kernel.signatures, "nobody called it from Python"


def test_direct_gives_the_bits_of_the_entry():
    @jit.kernel
    def double(x, start, stop, stride, slot):
        for world in range(start, stop, stride):
            x[world] *= 2.0
        return 0

    x = np.ones(3)
    compiled = jit.direct(double, (x, 0, 3, 1, 0))
    assert np.array_equal(x, [2.0, 2.0, 2.0]), "it was called once"
    assert compiled(x, 1, 3, 1, 0) == 0
    assert np.array_equal(x, [2.0, 4.0, 4.0])
