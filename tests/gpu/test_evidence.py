"""The GPU's evidence: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import SPINE
from gpu.kept_evidence import kept_evidence, skip_when_stale


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_spine")


def test_cpu_and_gpu_agree_within_the_bound(evidence, figure):
    for name, row in evidence["compared"].items():
        what = f"{name}: CPU against {evidence['device']}, share of the bound, {row['models']} models"
        figure(what, row["share_of_bound"], 1.0, note=f"relative difference {row['relative_difference']:.1e}")


def test_inverse_kinematics_agrees(evidence, figure):
    if "ik" not in evidence:
        pytest.skip(
            "GPU evidence has no inverse kinematics yet: run tests/gpu/measure.py on a machine with a CUDA device"
        )
    for name, row in evidence["ik"].items():
        note = f"{100 * row['identical_answers']:.1f} % of {row['targets']} answers identical within 1e-6"
        what = f"ik of {name}, CPU against {evidence['device']}"
        figure(f"{what}: called ok and wrong on either", row["wrong_on_cpu"] + row["wrong_on_gpu"], 0, note=note)
        figure(f"{what}: same ok [%]", 100 * row["same_ok"], 100, at_least=True, note=note)


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, SPINE, "measure")
