"""The GPU's evidence for the catch: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import CATCH
from gpu.kept_evidence import kept_evidence, skip_when_stale


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_catch")


def test_cpu_and_gpu_agree_on_all_thirty(evidence, figure):
    row = evidence["as_thesis"]
    figure(
        f"catch --grid --as-thesis, CPU against {evidence['device']}: outcomes that agree",
        row["agree"],
        30,
        at_least=True,
    )
    figure("the same: largest position error, difference [mm]", row["error_difference_mm"], 1e-6)
    (rate,) = evidence["speed"]
    what = f"whole catches a second on {evidence['device']}, {rate['worlds']} worlds of {rate['steps']} steps"
    figure(what, rate["catches_per_second"], 150, at_least=True)


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, CATCH, "measure_catch")
