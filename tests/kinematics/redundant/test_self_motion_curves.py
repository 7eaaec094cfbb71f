import dataclasses

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import random_configurations, trace_self_motion
from carpal.kinematics.redundant.self_motion_curves import wrap

SAWYER, SIA5 = carpal.load("sawyer"), carpal.load("sia5")


def test_an_srs_arm_has_one_curve_for_each_branch():
    """Eight branches of the closed form, each a closed curve of its own at an ordinary pose."""
    for q in random_configurations(SIA5, 10, seed=2):
        motion = trace_self_motion(SIA5, carpal.fk(SIA5, q))
        assert len(motion.curves) == 8
        assert all(curve.closed for curve in motion.curves)
        solved = carpal.ik_all(SIA5, carpal.fk(SIA5, q), arm_angle=np.linspace(-3, 3, 5))
        for row in solved.q.reshape(-1, 7):
            assert motion.locate(row)[1] < 1e-6
        # and every branch keeps to its own curve
        assert {motion.locate(row)[0] for row in solved.q[0]} == set(range(8))


def test_same_seed_same_bits_and_other_seed_same_curves():
    X = carpal.fk(SAWYER, random_configurations(SAWYER, 1, seed=5)[0])
    a, b, c = (trace_self_motion(SAWYER, X, seed=seed) for seed in (0, 0, 9))
    assert len(a.curves) == len(b.curves) == len(c.curves)
    for one, two, other in zip(a.curves, b.curves, c.curves, strict=True):
        assert (one.q == two.q).all()
        assert abs(one.length - other.length) < 0.02 * one.length


def test_given_configurations_are_tried_first():
    q = random_configurations(SAWYER, 1, seed=6)[0]
    motion = trace_self_motion(SAWYER, carpal.fk(SAWYER, q), q0=q, starts=1)
    assert motion.locate(q)[1] < 1e-9


def test_winding_and_length():
    X = carpal.fk(SIA5, random_configurations(SIA5, 1, seed=3)[0])
    for curve in trace_self_motion(SIA5, X).curves:
        assert (curve.winding == np.rint((curve.q[-1] + wrap(curve.q[0] - curve.q[-1]) - curve.q[0]) / 2 / np.pi)).all()
        assert curve.length > curve.s[-1] > 0


def test_other_joints_stay_and_any_seven_joint_chain_will_do():
    """A hand's own joint behind the arm is no part of it: the frame before it is traced."""
    finger = carpal.model.Body(
        "finger", "l6", carpal.model.Joint("finger", "revolute", q_min=-1.0, q_max=1.0)
    )  # fmt: skip
    model = dataclasses.replace(SAWYER, bodies=(*SAWYER.bodies, finger), q_home=None)
    q = np.append(random_configurations(SAWYER, 1, seed=8)[0], 0.4)
    motion = trace_self_motion(model, carpal.fk(model, q, "tool"), q0=q, starts=8)
    assert motion.locate(q)[1] < 1e-9
    assert all((curve.q[:, 7] == 0.4).all() for curve in motion.curves)


def test_nothing_to_trace_is_one_sentence():
    X = carpal.fk(SAWYER, np.zeros(7))
    X[0, 3] = 3.0
    none = trace_self_motion(SAWYER, X)
    assert not none
    assert none.status == "no self-motion: none of 48 searches reached the pose, limits set aside."


@pytest.mark.parametrize(
    ("pose", "options", "sentence"),
    [
        (np.eye(4)[None], {}, "one pose"),
        (np.full((4, 4), np.nan), {}, "not finite"),
        (np.diag([1.0, 1, -1, 1]), {}, "reflection"),
        (np.eye(4), {"step": 0.0}, "step must be a number from 0.0001 to 0.2"),
    ],
)
def test_bad_input(pose, options, sentence):
    with pytest.raises(InputError, match=sentence):
        trace_self_motion(SAWYER, pose, **options)
