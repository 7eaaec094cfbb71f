"""The sentence of a refusal names the place and the joint; its data are the furthest posture's."""

import numpy as np

from carpal.errors import UnreachableError
from carpal.planning.trajectories.line_refusal import LineEnd, refused_line, refused_start


def end(waypoint, share, joint):
    return LineEnd(waypoint, share, np.full(12, 0.5), np.ones(12), joint, np.zeros(3))


def test_the_furthest_posture_speaks():
    error = refused_line([end(0, 0.9, None), end(2, 0.1, "elbow"), end(1, 0.5, "wrist")])
    assert isinstance(error, UnreachableError) and "joint 'elbow' comes to its limit" in str(error)
    assert error.waypoint == 2 and error.joint == "elbow" and len(error.ends) == 3
    assert (
        "between waypoints 2 and 3" in str(error) and "(0.5, 0.5, 0.5) m" in str(error) and "3 postures" in str(error)
    )


def test_out_of_reach_and_no_start():
    assert "out of reach" in str(refused_line([end(0, 0.9, None)]))
    error = refused_start(np.array([1.0, 2.0, 3.0]))
    assert "cannot start at (1, 2, 3) m" in str(error) and not error.ends
