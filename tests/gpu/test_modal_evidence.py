"""The GPU's evidence for the modal engine: read where there is no GPU, and its age told."""

import json
from pathlib import Path

import pytest
from gpu.evidence_folders import MODAL, evidence_hash
from gpu.measure_modal import cases, start

from carpal.engines import ModalEngine

FILE = Path(__file__).parent.parent.parent / "docs" / "evidence" / "gpu_modal.json"


@pytest.fixture(scope="module")
def evidence():
    if not FILE.exists():
        pytest.skip(
            "there is no GPU evidence of the modal engine yet: run tests/gpu/measure_modal.py on a CUDA machine"
        )
    return json.loads(FILE.read_text())


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
    if evidence["kernels_hash"] != evidence_hash(MODAL):
        pytest.skip(
            f"GPU evidence is stale: measured on kernels {evidence['kernels_hash']}, they are now {evidence_hash(MODAL)}; "
            "run tests/gpu/measure_modal.py on a machine with a CUDA device"
        )
