import pytest

from carpal.errors import CarpalError
from carpal.tasks.campaigns.cuda_backend import run_on_cuda
from carpal.tasks.campaigns.study import Study


def test_only_compiled_tasks_run_on_a_gpu():
    with pytest.raises(CarpalError, match="no compiled run loop"):
        next(run_on_cuda(Study("dexterity", {}), iter([0])))


@pytest.mark.parametrize("task", ["catch", "reach", "mount"])
def test_no_gpu_is_one_sentence(task):
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU here: tests/gpu/measure_catch.py runs campaigns on it")
    with pytest.raises(CarpalError, match=r"no CUDA device|did not start"):
        next(run_on_cuda(Study(task, {}), iter([0])))
