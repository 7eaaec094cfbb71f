"""Following by arc length: goes through every pose, stops at toggles and names their kind."""

import numpy as np
from linkage_inputs import linkage

from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.following import Follower, follow


def test_points_are_closed_and_in_order():
    made = linkage("six_bar_finger")
    closure, curve = closure_of(made), made.curve()
    points, toggle = follow(closure, curve.poses(0.027), 0.027, 0.010)
    drives = np.array([p[0] for p in points])
    assert toggle is None and (np.diff(drives) < 0).all()
    assert np.abs(closure.residual(np.array([p[1] for p in points]), drives)).max() < 1e-14


def test_following_ends_at_the_toggle_where_the_linkage_is_singular(figure):
    made = linkage("six_bar_finger")
    closure, curve = closure_of(made), made.curve()
    _, toggle = follow(closure, curve.poses(0.010), 0.010, 0.001)
    assert toggle.kind == "turning" and toggle.drive == curve.toggles[1].drive
    # the push drive's own toggle: its two points in line with the knuckle, |M| - |L| apart
    wanted = np.hypot(0.0217, 0.0052) - np.hypot(0.0071, 0.0124)
    figure("toggle of the finger's actuator against |KM| - |KL| [m]", abs(toggle.drive - wanted), 1e-12)


def test_tangent_is_the_null_space():
    made = linkage("crossed_finger")
    follower = Follower(closure_of(made))
    y = follower.join(made.curve().poses(0.02), 0.02)
    t = follower.tangent(y, np.ones_like(y))
    assert np.abs(follower.matrix(y) @ t).max() < 1e-14 and abs(np.linalg.norm(t) - 1) < 1e-14
    poses, drive = follower.part(y)
    assert abs(drive - 0.02) < 1e-17 and np.allclose(poses, made.curve().poses(0.02), atol=1e-17)
