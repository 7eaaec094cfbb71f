"""The CUDA launch: one sentence without a device, one type for every layout, NumPy left as it was."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba import types

from carpal._core import cuda_launch
from carpal.errors import DeviceError


class Pair(NamedTuple):
    table: np.ndarray
    number: float


def test_cuda_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = pytest.importorskip("numba.cuda")
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(
        DeviceError, match='device="cuda" was asked for, but no CUDA device was found; use device="cpu"'
    ):
        cuda_launch.require_cuda()

    def broken() -> bool:
        raise OSError("driver is broken")

    monkeypatch.setattr(cuda, "is_available", broken)
    with pytest.raises(DeviceError, match='CUDA did not start: driver is broken; use device="cpu"'):
        cuda_launch.run_on_cuda(None, (), (), (), [], 1)


def test_arrays_in_both_orders_are_of_one_type() -> None:
    wide, single, none = np.zeros((2, 3)), np.zeros((1, 3)), np.zeros((2, 0))
    kinds = cuda_launch.cuda_types((wide, single, none, np.zeros(3), 4, 0.5))
    assert {kind.layout for kind in kinds[:3]} == {"F"} and len(set(kinds[:3])) == 1
    assert kinds[3:] == (types.Array(types.float64, 1, "C"), types.int64, types.float64)


def test_named_tables_keep_their_names() -> None:
    (kind,) = cuda_launch.cuda_types((Pair(np.zeros((2, 3)), 4.0),))
    assert kind.instance_class is Pair and kind.fields == ("table", "number")
    assert kind.types == (types.Array(types.float64, 2, "F"), types.float64)


def test_numpy_is_left_as_it_was() -> None:
    before = set(dir(np))
    with cuda_launch._old_numpy_names():
        assert np.vstack is not None
    assert set(dir(np)) == before
