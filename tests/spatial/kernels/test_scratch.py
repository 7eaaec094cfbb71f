"""Scratch readers and writers: what is put is got, and neighbours stay untouched."""

import numpy as np
import pytest

from carpal.spatial.kernels import scratch

KINDS = {"vector": 3, "matrix": 9, "symmetric": 6}


@pytest.mark.parametrize("kind", KINDS)
def test_put_get_and_add(kind: str) -> None:
    n = KINDS[kind]
    store = np.random.default_rng(0).normal(size=(2, 3, 14))
    before = store.copy()
    values = tuple(float(x) for x in range(1, n + 1))
    put, get, add = (getattr(scratch, f"{verb}_{kind}") for verb in ("put", "get", "add"))
    put(store, 1, 2, 4, values)
    assert get(store, 1, 2, 4) == values
    add(store, 1, 2, 4, values)
    assert get(store, 1, 2, 4) == tuple(2 * x for x in values)
    touched = np.zeros(store.shape, bool)
    touched[1, 2, 4 : 4 + n] = True
    assert np.array_equal(store[~touched], before[~touched])


def test_every_function_is_covered() -> None:
    public = {name for name, value in vars(scratch).items() if hasattr(value, "py_func")}
    assert public == {f"{verb}_{kind}" for verb in ("put", "get", "add") for kind in KINDS}
