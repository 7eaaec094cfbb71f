"""The GPU's evidence for the penalty engine: read where there is no GPU, and its age told."""

import json
from pathlib import Path

import pytest
from gpu.evidence_folders import PENALTY, evidence_hash
from gpu.measure_penalty import chain, mixed

from carpal.engines import PenaltyEngine

FILE = Path(__file__).parent.parent.parent / "docs" / "evidence" / "gpu_penalty.json"


@pytest.fixture(scope="module")
def evidence():
    if not FILE.exists():
        pytest.skip(
            "there is no GPU evidence of the penalty engine yet: run tests/gpu/measure_penalty.py on a CUDA machine"
        )
    return json.loads(FILE.read_text())


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
    if evidence["kernels_hash"] != evidence_hash(PENALTY):
        pytest.skip(
            f"GPU evidence is stale: measured on kernels {evidence['kernels_hash']}, they are now {evidence_hash(PENALTY)}; "
            "run tests/gpu/measure_penalty.py on a machine with a CUDA device"
        )
