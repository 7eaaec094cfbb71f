"""The GPU's evidence for the modal engine: read where there is no GPU, and its age told."""

import numpy as np
import pytest
from gpu.evidence_folders import MODAL
from gpu.kept_evidence import kept_evidence, skip_when_stale
from gpu.measure_modal import cases, start

from carpal.engines import ModalEngine
from carpal.engines.checking import BOUNDS
from carpal.model import State


def engine_of(name):
    model, options = cases()[name]
    return ModalEngine(model, **options)


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_modal")


def test_what_is_measured_keeps_its_certificate_and_batches_equal_single_runs():
    for name, (model, options) in cases().items():
        engine = ModalEngine(model, **options)
        begin = start(model, 2)
        both = engine.run(begin, None, 10).state
        for world in range(2):
            alone = engine.run(State(0.0, begin.q[world], begin.v[world]), None, 10)
            assert np.array_equal(alone.state.q, both.q[world]) and np.array_equal(alone.state.v, both.v[world])
            assert all(value <= BOUNDS[what] for what, value in alone.certificate.items()), (name, alone.certificate)
    ball = engine_of("sliding ball")
    slowed = ball.run(start(ball.model, 1), None, 10).state.v[0, -6]
    assert slowed == pytest.approx(2.0 - 0.2 * 9.81 * 0.01, abs=1e-6)  # Coulomb friction on a sliding ball


def test_cpu_and_gpu_take_the_same_steps(evidence, figure):
    for scene, row in evidence["compared"].items():
        for what in ("q", "v"):
            figure(
                f"modal engine ({scene}), {evidence['steps']} steps, CPU against {evidence['device']}: {what}",
                row[what], 1e-9,
            )  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, MODAL, "measure_modal")
