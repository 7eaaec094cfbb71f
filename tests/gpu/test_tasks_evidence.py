"""The GPU's evidence of campaigns of reach and mount: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import TASKS
from gpu.kept_evidence import kept_evidence, skip_when_stale
from gpu.measure_tasks import SETTINGS, differences, rows_of


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_tasks")


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_measured_runs_here_too(setting):
    rows = rows_of(setting, range(2), "cpu")
    found = differences(rows, rows)
    assert found["cases"] == found["equal_verdicts"] == 2 and set(found["differences"].values()) == {0.0}
    assert all(row["numbers"] for row in rows)


def test_a_difference_is_seen():
    rows = [{"ok": True, "numbers": {"a": 2.0, "b": [1.0, float("nan")]}}]
    found = differences(rows, [{"ok": False, "numbers": {"a": 2.5, "b": [float("nan")] * 2}}])
    assert found["equal_verdicts"] == 0 and found["differences"] == {"a": 0.25, "b": None}


def test_verdicts_and_numbers_agree(evidence, figure):
    for setting, row in evidence["compared"].items():
        figure(f"campaign of {setting}, CPU against {evidence['device']}: share of equal verdicts",
               row["equal_verdicts"] / row["cases"], 0.995, at_least=True)  # fmt: skip
        assert None not in row["differences"].values()
        figure(f"campaign of {setting}, CPU against {evidence['device']}: largest difference of a number",
               max(row["differences"].values()), 1e-6)  # fmt: skip


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, TASKS, "measure_tasks")
