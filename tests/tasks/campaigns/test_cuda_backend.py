from types import SimpleNamespace

import numpy as np
import pytest

from carpal._core import cpu_pool, cuda_launch
from carpal.errors import CarpalError
from carpal.tasks.campaigns import cuda_backend
from carpal.tasks.campaigns.case_rows import case_rows
from carpal.tasks.campaigns.cuda_backend import run_on_cuda
from carpal.tasks.campaigns.factors import Factor
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


@pytest.fixture
def pretended(monkeypatch):
    """A GPU that is the CPU: what is handed to a device goes through the same entries here. Keeps worlds of each launch."""
    launches = []

    def run(entry, constants, inputs, outputs, scratch, worlds, groups):
        launches.append((worlds, str(getattr(entry, "__name__", entry))))
        work = tuple(np.empty((1, *shape)) for shape in scratch)
        arguments = (*constants, *groups.arguments(inputs, outputs, work))
        return cpu_pool.run_on_cpu(entry, arguments, worlds, threads=1, world_seconds=1.0)

    memory = SimpleNamespace(get_memory_info=lambda: (8_000_000_000, 16_000_000_000))
    monkeypatch.setattr(cuda_launch, "run_on_cuda", run)
    monkeypatch.setattr(cuda_backend, "require_cuda", lambda: SimpleNamespace(current_context=lambda: memory))
    return launches


@pytest.mark.parametrize(
    ("task", "options", "factor", "worlds"),
    [
        ("reach", {"duration": 0.3}, ("damping", (0.5, 1.0)), [2, 2]),
        ("mount", {"duration": 0.3, "mass_spread": 0.1, "control": "open"}, ("case", (1, 2)), [2, 2]),
        ("catch", {"vary": 1.0}, ("ball_radius", (0.02, 0.025)), [2, 2]),  # the start's energies first, then the run
    ],
)
def test_a_study_on_a_device_gives_the_rows_of_the_cpu(pretended, task, options, factor, worlds):
    study = Study(
        task, options, (Factor.from_data(factor[0], list(factor[1])),), seeds=tuple(range(1 if task == "catch" else 2))
    )
    theirs = [row for row in run_on_cuda(study, iter(range(len(study)))) if row]
    cases = [study.case(i) for i in range(len(study))]
    ours = case_rows(task, [(c.number, c.options, c.seed) for c in cases])
    assert [count for count, entry in pretended if "centroidal" not in entry] == worlds, pretended  # those are energies
    for a, b in zip(ours, theirs, strict=True):
        assert (a["number"], a["ok"], a["status"]) == (b["number"], b["ok"], b["status"])
        assert a["numbers"].keys() == b["numbers"].keys()
        for name in a["numbers"]:
            np.testing.assert_allclose(a["numbers"][name], b["numbers"][name], rtol=1e-6, atol=1e-9, err_msg=name)
