"""The GPU's evidence for the modal engine: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import MODAL
from gpu.kept_evidence import kept_evidence, skip_when_stale
from gpu.measure_modal import cases, start

from carpal.engines import ModalEngine


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_modal")


def test_what_is_measured_runs_here_too():
    for model, options in cases().values():
        engine = ModalEngine(model, **options)
        assert engine.run(start(model, 2), None, 10).state.time == pytest.approx(0.01)


def test_cpu_and_gpu_take_the_same_steps(evidence, figure):
    for scene, row in evidence["compared"].items():
        for what in ("q", "v"):
            figure(
                f"modal engine ({scene}), {evidence['steps']} steps, CPU against {evidence['device']}: {what}",
                row[what], 1e-9,
            )  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, MODAL, "measure_modal")
