"""The GPU's evidence for contact queries: read where there is no GPU, and its age told."""

import pytest
from gpu.evidence_folders import CONTACT
from gpu.kept_evidence import kept_evidence, skip_when_stale


@pytest.fixture(scope="module")
def evidence():
    return kept_evidence("gpu_contact")


def test_cpu_and_gpu_measure_the_same_distances(evidence, figure):
    where = f"CPU against {evidence['device']}, {evidence['worlds_per_pair']} worlds"
    for pair, row in evidence["pairs"].items():
        figure(f"{pair}, {where}: difference of distance [m]", row["distance"], 1e-10)
        searched = (
            not pair.startswith("sphere") and not pair.endswith("plane") and ("cylinder" in pair or "ellipsoid" in pair)
        )
        note = "where the normals are the same; found by search: a flat minimum knows its place to the root of its rounding"
        figure(f"{pair}, {where}: difference of points [m]", row["points"], 2e-6 if searched else 1e-10, note=note)
    for name, row in evidence["scenes"].items():
        figure(f"scene {name}, {where}: difference of distance [m]", row["distance"], 1e-10)
        figure(
            f"scene {name}, {where}: other verdicts of collides and sweep",
            row["other_verdicts"] + row["other_sweeps"],
            0,
        )
    row = evidence["first_contact"]
    figure(f"first contact, {where}: other verdicts", row["other_verdicts"], 0)
    figure(f"first contact, {where}: difference of time [s]", row["time"], 1e-10)


def test_cpu_and_gpu_agree_on_meshes_and_rays(evidence, figure):
    rows = evidence["meshes"]
    for what, measured in rows.items():
        if what != "worlds" and "rate" not in what:
            figure(f"{what}, CPU against {evidence['device']}, {rows['worlds']:.0f} worlds", measured, 1e-10)


def test_cpu_and_gpu_roll_alike(evidence, figure):
    rows = evidence["rolling"]
    for what, measured in rows.items():
        if what != "worlds":
            figure(f"{what}, CPU against {evidence['device']}, {rows['worlds']:.0f} worlds", measured, 1e-10)


def test_the_evidence_is_of_these_kernels(evidence):
    skip_when_stale(evidence, CONTACT, "measure_contact")
