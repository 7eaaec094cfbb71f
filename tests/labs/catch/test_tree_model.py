import numpy as np
import pytest
from catch_inputs import Q_DROP

from carpal.dynamics import com
from carpal.kinematics import fk
from carpal.labs.catch import catcher, catcher_tree
from carpal.labs.catch.hand_geometry import FINGERS
from carpal.labs.catch.tree_model import coupled_angles, coupling


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("q", [None, Q_DROP])
def test_the_tree_stands_where_the_mechanism_does(q, closed):
    made, tree = catcher(q, (0.1, 0.2, 0.3), closed=closed), catcher_tree(q, (0.1, 0.2, 0.3), closed=closed)
    where = {body.name: body.X_WB for body in made.bodies}
    for body in tree.bodies:
        assert np.abs(fk(tree, tree.q_home, body.name) - where[body.name]).max() < 1e-12, body.name


def test_it_weighs_the_same_in_the_same_place():
    made, tree = catcher(), catcher_tree()
    masses = np.array([body.inertia.mass for body in made.bodies])
    centres = np.array([(body.X_WB @ [*body.inertia.com, 1])[:3] for body in made.bodies])
    assert abs(tree.mass - masses.sum()) < 1e-12
    assert np.abs(com(tree, tree.q_home) - masses @ centres / masses.sum()).max() < 1e-4  # rods lie as in mid-stroke


@pytest.mark.parametrize("finger", FINGERS)
def test_polynomials_follow_the_curve(finger, figure):
    coefficients, worst = coupling(finger)
    figure(f"{finger}: coupling polynomial off the exact curve [deg]", np.degrees(worst), 0.2)
    angles = coupled_angles(finger, np.linspace(0.027, 0.010, 37))
    for joint, c in enumerate(coefficients, start=1):
        ours = sum(value * angles[:, 0] ** power for power, value in enumerate(c))
        assert np.abs(ours - angles[:, joint]).max() <= worst + 1e-6


def test_actuator_frames_are_the_actuators_length_apart():
    for closed, length in ((False, 0.027), (True, 0.010)):
        tree = catcher_tree(closed=closed)
        for finger in FINGERS:
            ends = [fk(tree, tree.q_home, f"{finger}/{end}")[:3, 3] for end in "ML"]
            assert abs(np.linalg.norm(ends[1] - ends[0]) - length) < 1e-9
