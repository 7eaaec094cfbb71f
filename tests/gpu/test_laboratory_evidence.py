"""The GPU's evidence of the catch laboratory: read where there is no GPU, added up again, and its age told."""

import numpy as np
import pytest
from gpu.evidence_folders import CATCH
from gpu.kept_evidence import kept_evidence, skip_when_stale


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_laboratory")


def test_a_thousand_throws(evidence, figure):
    best, thesis = (evidence["throws"][name] for name in ("best", "thesis"))
    figure("catch laboratory: share of 1,000 throws that best catches and bins", best["binned"] / best["throws"], 0.95,
           at_least=True, note=evidence["throws"].get("device", evidence["device"]))  # fmt: skip
    for row in (best, thesis):
        assert row["throws"] == 1000 == sum(row["causes"].values())
        assert len(row["failures"]) == row["throws"] - row["binned"]
    figure("catch laboratory: largest force on the ball, median, best over thesis",
           best["peak_contact_force_N"][1] / thesis["peak_contact_force_N"][1], 1.0)  # fmt: skip
    figure("catch laboratory: largest torque of all throws, best over thesis",
           best["peak_torque_Nm"][3] / thesis["peak_torque_Nm"][3], 1.0)  # fmt: skip


def test_the_map(evidence, figure):
    kept = evidence.get("map")
    if kept is None:
        pytest.skip("the success map was not measured yet: part `map` of tests/gpu/measure_laboratory.py")
    tried, binned = np.array(kept["tried"]), np.array(kept["binned"])
    assert (binned <= tried).all()
    assert tried.sum() == sum(launch["cases"] for launch in kept["launches"])
    for i, name in enumerate(kept["controllers"]):
        for j, causes in enumerate(kept["causes"][name]):
            assert sum(causes.values()) == tried[i, j].sum()
            assert causes.get("none", 0) == binned[i, j].sum()
    if len(kept["launches"]) < 3:
        pytest.skip(f"the map is not whole yet: {tried.sum()} throws; go on with tests/gpu/measure_laboratory.py")
    figure("catch laboratory: throws of the success map", tried.sum(), 100_000, at_least=True)


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, CATCH, "measure_laboratory")
