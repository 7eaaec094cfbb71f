"""The GPU's evidence for the penalty engine: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import PENALTY
from gpu.kept_evidence import kept_evidence, skip_when_stale
from gpu.measure_penalty import chain, mixed

from carpal.engines import PenaltyEngine


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_penalty")


def test_what_is_measured_runs_here_too():
    for mechanism in (chain(20), mixed()):
        engine = PenaltyEngine(mechanism, dt=2e-5)
        assert engine.run(engine.start(), steps=1_000).state.time == pytest.approx(0.02)


def test_cpu_and_gpu_take_the_same_steps(evidence, figure):
    for scene, row in evidence["compared"].items():
        for what in ("q", "v", "work_in", "dissipated"):
            figure(
                f"penalty engine ({scene}), {evidence['steps']} steps, CPU against {evidence['device']}: relative "
                f"difference of {what}", row[what], 1e-12,
            )  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, PENALTY, "measure_penalty")
