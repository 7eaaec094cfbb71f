"""Newton on the loops: converges from nearby, and says what is left where nothing closes."""

import numpy as np
from linkage_inputs import loop_driven

from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.loop_newton import assemble_loop, newton


def test_newton_returns_to_the_curve():
    made = loop_driven()
    curve, closure = made.curve(), closure_of(made)
    drive = 0.5 * (made.drive.start + made.drive.stop)
    poses = curve.poses(drive)
    rough = poses.copy()
    rough[1:] += np.random.default_rng(0).uniform(-1, 1, (5, 3)) * (5e-4, 5e-4, 0.01)
    found, left = newton(closure, rough, drive)
    assert left < 1e-13 and np.abs(found - poses).max() < 1e-12


def test_a_far_start_still_finds_a_closed_pose():
    made = loop_driven()
    closure = closure_of(made)
    poses = np.zeros((6, 3))
    found, gap, tries = assemble_loop(closure, poses, made.drive.start, (1, 2, 3, 4, 5))
    assert gap < 1e-12 and tries >= 1
    assert np.abs(closure.residual(found, np.array(made.drive.start))).max() == gap
