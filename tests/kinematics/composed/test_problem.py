"""Problems as a whole: hard ones solved, real-time loops, refusals that list the choices."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import (
    ComTarget,
    DirectionTarget,
    IKProblem,
    JointLimit,
    LookAtTarget,
    PointTarget,
    PoseTarget,
    PostureTarget,
    SpeedLimit,
    fk,
    random_configurations,
)


@pytest.mark.parametrize("name", ["sawyer", "so101"])
def test_reachable_poses_are_reached(name):
    model = carpal.load(name)
    X = fk(model, random_configurations(model, 40, seed=1))
    result = IKProblem(model, [PoseTarget(), PostureTarget()]).solve(goals={model.tool: X}, attempts=64)
    assert result.ok.all(), result.status
    np.testing.assert_allclose(fk(model, result.q), X, atol=3e-6)


def test_one_hand_carries_what_the_other_looks_at_while_the_mass_stays_over_a_foot():
    model = two_arms()
    q = random_configurations(model, 1, seed=8)[0]
    held = np.linalg.inv(fk(model, q, "left_hand")) @ fk(model, q, "right_hand")
    com = carpal.com(model, q)
    problem = IKProblem(
        model,
        [
            PointTarget(held[:3, 3], frame="right_hand", base="left_hand"),
            ComTarget(com, weight=(1.0, 1.0, 0.0)),
            LookAtTarget((0.3, 0.0, 0.0), frame="chest", axis=(1.0, 0.0, 0.0), base="left_hand", priority=1),
            DirectionTarget((0.0, 0.0, 1.0), frame="left_hand", axis=(0.0, 0.0, 1.0), priority=2),
        ],
    )
    result = problem.solve(np.zeros(model.nq), attempts=32)
    assert result.ok, result.status
    seen = np.linalg.inv(fk(model, result.q, "left_hand")) @ fk(model, result.q, "right_hand")
    np.testing.assert_allclose(seen[:3, 3], held[:3, 3], atol=2e-6)
    np.testing.assert_allclose(carpal.com(model, result.q)[:2], com[:2], atol=2e-6)
    assert result.targets == ("right_hand", "com", "chest", "left_hand")


def test_a_loop_at_a_hundred_hertz_follows_a_circle_inside_all_limits():
    model = carpal.load("sawyer")
    problem = IKProblem(model, [PoseTarget(), PostureTarget()], limits=[JointLimit(0.01), SpeedLimit(share=0.5)])
    q = 0.6 * random_configurations(model, 1, seed=2)[0]
    X = fk(model, q)
    worst = 0.0
    for k in range(200):
        goal = X.copy()
        goal[:3, 3] += 0.05 * np.array([0.0, np.sin(0.03 * k), 1.0 - np.cos(0.03 * k)])
        result = problem.step(q, 0.01, {model.tool: goal})
        assert result.ok and (np.abs(result.v) <= 0.5 * model.v_max + 1e-12).all()
        assert (result.q >= model.q_min + 0.01 - 1e-12).all() and (result.q <= model.q_max - 0.01 + 1e-12).all()
        q = result.q
        worst = max(worst, float(np.linalg.norm(fk(model, q)[:3, 3] - goal[:3, 3])))
    assert worst < 1e-4


def test_what_is_out_of_reach_is_said_with_the_joints_at_their_limits():
    model = carpal.load("sawyer")
    result = IKProblem(model, PointTarget()).solve(goals={model.tool: (3.0, 0.0, 0.5)}, attempts=2)
    assert not result and result.status.startswith(f"short: {model.tool} by ") and "from 2 starts" in result.status


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda m: IKProblem(m, []), "targets is a list of PoseTarget, PointTarget"),
        (lambda m: IKProblem(m, "tool"), "targets is a list of PoseTarget"),
        (lambda m: IKProblem(m, [3]), "a target is one of PoseTarget"),
        (lambda m: IKProblem(m, [PostureTarget()]), "a posture alone"),
        (lambda m: IKProblem(m, [PoseTarget(), PointTarget()]), "two targets are named 'left_hand'"),
        (lambda m: IKProblem(m, PoseTarget(), limits=[3]), "a limit is one of JointLimit, SpeedLimit"),
        (lambda m: IKProblem(m, PoseTarget(), limits=[JointLimit(), JointLimit()]), "one JointLimit at most"),
        (lambda m: IKProblem(m, PoseTarget(), damping=-1.0), "damping must be a number, zero or above"),
        (lambda m: IKProblem(m, PoseTarget()).step(np.zeros(m.nq)), "no goal is known for left_hand"),
        (lambda m: IKProblem(m, PoseTarget()).step(np.zeros(m.nq), 0.0), "dt must be a number above zero"),
        (lambda m: IKProblem(m, PoseTarget(np.eye(4))).step([np.nan] * 10), r"q\[0\] is nan"),
        (
            lambda m: IKProblem(m, PoseTarget()).step(np.zeros(10), goals={"left_hand": 2 * np.eye(4)}),
            "must be a rotation",
        ),
        (
            lambda m: IKProblem(m, PointTarget()).step(np.zeros(10), goals={"left_hand": [0, 0, np.inf]}),
            "three finite numbers",
        ),
        (lambda m: IKProblem(m, PointTarget((0, 0, 1))).solve(attempts=0), "attempts must be a whole number"),
        (lambda m: IKProblem(m, PointTarget((0, 0, 1))).solve(np.zeros(3)), "needs 10 numbers"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(make, said):
    with pytest.raises(InputError, match=said):
        make(two_arms())


def test_unknown_names_come_with_the_choices():
    model = two_arms()
    with pytest.raises(UnknownNameError, match=r"'left_hnd'; did you mean 'left_hand'\?"):
        IKProblem(model, PoseTarget(frame="left_hnd"))
    with pytest.raises(UnknownNameError, match=r"unknown target 'hand'.*valid: left_hand, posture"):
        IKProblem(model, [PoseTarget(), PostureTarget()]).step(np.zeros(10), goals={"hand": np.eye(4)})
    with pytest.raises(UnknownNameError, match="valid: turn, lift, left_joint0"):
        IKProblem(model, [PoseTarget(), PostureTarget(joints=["elbow"])])
