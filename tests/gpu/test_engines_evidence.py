"""The GPU's evidence for the engines: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import ENGINES
from gpu.kept_evidence import kept_evidence, skip_when_stale


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_engines")


def test_cpu_and_gpu_take_the_same_steps(evidence, figure):
    for integrator, row in evidence["compared"].items():
        for what in ("q", "v", "work_in", "dissipated"):
            figure(
                f"rigid engine ({integrator}), {evidence['steps']} steps, {row['models']} models, CPU against "
                f"{evidence['device']}: relative difference of {what}", row[what], 1e-9,
            )  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, ENGINES, "measure_engines")
