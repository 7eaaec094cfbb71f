"""The picture of all solutions, and of the nearest where there is none."""

import numpy as np
import pytest

import carpal
from carpal.kinematics import ik_all
from carpal.report.pictures.solution_pictures import save_solutions_picture

pytest.importorskip("matplotlib")


def test_pictures(tmp_path):
    k10 = carpal.load("k10")
    every = save_solutions_picture(ik_all(k10, ((0.4, 0.1, 0.2), (0, 0, -1))), tmp_path / "every.png")
    nearest = save_solutions_picture(ik_all(k10, ((1.4, 0.1, 0.2), (0, 0, -1))), tmp_path / "nearest.png")
    srs7 = carpal.load("srs7")
    pose = carpal.fk(srs7, np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2]))
    arm = save_solutions_picture(ik_all(srs7, pose, arm_angle=0.2), tmp_path / "arm.png")
    sizes = [path.stat().st_size for path in (every, nearest, arm)]
    assert min(sizes) > 15_000 and len(set(sizes)) == 3  # three different drawings
