"""The GPU's evidence for the engines: read where there is no GPU, and its age told."""

import json
from pathlib import Path

import pytest
from gpu.evidence_folders import ENGINES, evidence_hash

FILE = Path(__file__).parent.parent.parent / "docs" / "evidence" / "gpu_engines.json"


@pytest.fixture(scope="module")
def evidence():
    if not FILE.exists():
        pytest.skip("there is no GPU evidence of the engines yet: run tests/gpu/measure_engines.py on a CUDA machine")
    return json.loads(FILE.read_text())


def test_cpu_and_gpu_take_the_same_steps(evidence, figure):
    for integrator, row in evidence["compared"].items():
        for what in ("q", "v", "work_in", "dissipated"):
            figure(
                f"rigid engine ({integrator}), {evidence['steps']} steps, {row['models']} models, CPU against "
                f"{evidence['device']}: relative difference of {what}", row[what], 1e-9,
            )  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    if evidence["kernels_hash"] != evidence_hash(ENGINES):
        pytest.skip(
            f"GPU evidence is stale: measured on kernels {evidence['kernels_hash']}, they are now {evidence_hash(ENGINES)}; "
            "run tests/gpu/measure_engines.py on a machine with a CUDA device"
        )
