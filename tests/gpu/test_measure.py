"""On a machine with a CUDA device: the same source gives the same numbers."""

import numpy as np
import pytest

import carpal
from carpal._core import cuda_launch
from carpal.errors import DeviceError


def _has_gpu() -> bool:
    try:
        cuda_launch.require_cuda()
    except DeviceError:
        return False
    return True


@pytest.mark.gpu
@pytest.mark.skipif(not _has_gpu(), reason="no CUDA device here; docs/evidence/gpu_spine.json holds the evidence")
def test_gpu_equals_cpu():
    from gpu.measure import compare
    from random_models import random_tree

    worst = compare([random_tree(seed) for seed in range(5)] + [carpal.load("sawyer")], 32)
    assert all(row["share_of_bound"] <= 1 for row in worst.values()), worst


@pytest.mark.gpu
@pytest.mark.skipif(not _has_gpu(), reason="no CUDA device here; docs/evidence/gpu_spine.json holds the evidence")
def test_gpu_solves_what_the_cpu_solves():
    from gpu.measure import compare_ik

    row = compare_ik(carpal.load("sawyer"))
    assert row["same_ok"] == 1.0 and row["wrong_on_gpu"] == 0, row


@pytest.mark.skipif(_has_gpu(), reason="there is a CUDA device")
def test_without_a_gpu_one_clear_sentence():
    with pytest.raises(DeviceError, match=r"no CUDA device was found|CUDA did not start"):
        carpal.fk(carpal.load("sawyer"), np.zeros(7), device="cuda")
