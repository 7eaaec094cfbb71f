"""How far axes may be from a class's shape."""

import numpy as np

from carpal.kinematics.inverse.arm_slack import ANGLE_TOL, EXACT, LENGTH_TOL, line_angle, loose


def test_angles_between_lines_and_slack():
    u = np.array([0.0, 0.0, 1.0])
    assert line_angle(u, -u) == 0.0 and abs(line_angle(u, np.array([0.0, 1e-9, 1.0])) - 1e-9) < 1e-20
    assert loose(1e-12, 1.0) == 0.0 and np.allclose([loose(1e-6, 0.5), loose(1e-6, 2.0)], [1e-5, 2e-5], rtol=1e-12)
    assert EXACT < ANGLE_TOL == LENGTH_TOL
