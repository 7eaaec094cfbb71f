"""The GPU's evidence for the catch: read where there is no GPU, and its age told."""

import json
from pathlib import Path

import pytest
from gpu.evidence_folders import CATCH, evidence_hash

FILE = Path(__file__).parent.parent.parent / "docs" / "evidence" / "gpu_catch.json"


@pytest.fixture(scope="module")
def evidence():
    if not FILE.exists():
        pytest.skip("there is no GPU evidence of the catch yet: run tests/gpu/measure_catch.py on a CUDA machine")
    return json.loads(FILE.read_text())


def test_cpu_and_gpu_agree_on_all_thirty(evidence, figure):
    row = evidence["as_thesis"]
    figure(
        f"catch --grid --as-thesis, CPU against {evidence['device']}: outcomes that agree",
        row["agree"],
        30,
        at_least=True,
    )
    figure("the same: largest position error, difference [mm]", row["error_difference_mm"], 1e-6)


def test_the_evidence_is_of_these_kernels(evidence):
    if evidence["kernels_hash"] != evidence_hash(CATCH):
        pytest.skip(
            f"GPU evidence is stale: measured on kernels {evidence['kernels_hash']}, they are now {evidence_hash(CATCH)}; "
            "run tests/gpu/measure_catch.py on a machine with a CUDA device"
        )
