import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import arm_angle, random_configurations
from carpal.kinematics.redundant.self_motion import into_limits
from carpal.kinematics.redundant.self_motion_curves import wrap

SAWYER = carpal.load("sawyer")


def test_ik_all_finds_the_generating_configuration():
    q = random_configurations(SAWYER, 6, seed=21)
    X = carpal.fk(SAWYER, q)
    found = carpal.ik_all(SAWYER, X, arm_angle=arm_angle(SAWYER, q), q0=q)
    assert found
    assert np.abs(found.q[:, 0] - q).max() < 1e-9  # nearest to q0 first
    rows = ~np.isnan(found.q[..., 0])
    assert (rows.sum(1) == found.count).all()
    assert (
        np.abs(carpal.fk(SAWYER, found.q[rows]) - np.broadcast_to(X[:, None], (*rows.shape, 4, 4))[rows]).max() < 1e-10
    )
    psi = np.broadcast_to(arm_angle(SAWYER, q)[:, None], rows.shape)[rows]
    assert np.abs(wrap(arm_angle(SAWYER, found.q[rows]) - psi)).max() < 1e-9
    inside = ((found.q >= SAWYER.q_min - 1e-9) & (found.q <= SAWYER.q_max + 1e-9)).all(-1)
    assert (inside[rows] == found.in_limits[rows]).all()


def test_without_an_angle_that_of_q0_is_taken():
    q = random_configurations(SAWYER, 1, seed=22)[0]
    found = carpal.ik_all(SAWYER, carpal.fk(SAWYER, q), q0=q)
    assert np.abs(found.q[0] - q).max() < 1e-9
    assert "traced numerically, steps up to 0.04 rad" in found.status


def test_a_sweep_leaves_the_tool_still(figure):
    X = carpal.fk(SAWYER, random_configurations(SAWYER, 1, seed=23)[0])
    swept = carpal.ik_all(SAWYER, X, arm_angle=np.linspace(-np.pi, np.pi, 73))
    rows = swept.q[~np.isnan(swept.q[..., 0])]
    assert len(rows) > 73
    figure("sawyer: tool's motion during a psi sweep [m or 1]", np.abs(carpal.fk(SAWYER, rows) - X).max(), 1e-10)


def test_no_such_angle_says_which_there_are_and_offers_the_pose_at_another():
    X = carpal.fk(SAWYER, random_configurations(SAWYER, 5, seed=2)[1])
    none = carpal.ik_all(SAWYER, X, arm_angle=0.0)
    assert not none
    assert none.status.startswith("no configuration has the arm angle 0 rad: the traced curves have")
    near = none.nearest
    assert near.position_error < 1e-12
    assert np.abs(carpal.fk(SAWYER, near.q) - X).max() < 1e-10
    assert ((near.q >= SAWYER.q_min) & (near.q <= SAWYER.q_max)).all()


def test_out_of_reach_says_so():
    X = carpal.fk(SAWYER, np.zeros(7))
    X[0, 3] = 3.0
    none = carpal.ik_all(SAWYER, X, arm_angle=0.0)
    assert not none and "out of reach by" in none.status
    assert none.nearest.position_error > 1


def test_limits_that_forbid_name_the_joint():
    import dataclasses

    q = random_configurations(SAWYER, 1, seed=24)[0]
    bodies = [
        dataclasses.replace(b, joint=dataclasses.replace(b.joint, q_min=1.0, q_max=1.001))
        if b.joint.name == "j3"
        else b
        for b in SAWYER.bodies
    ]
    stiff = dataclasses.replace(SAWYER, bodies=tuple(bodies), q_home=np.array([0, 0, 0, 1.0, 0, 0, 0]))
    none = carpal.ik_all(stiff, carpal.fk(SAWYER, q), arm_angle=float(arm_angle(SAWYER, q)))
    assert not none
    assert "j3 is" in none.status and "rad outside" in none.status


def test_into_limits_keeps_the_angle_and_comes_near():
    rng = np.random.default_rng(1)
    q = rng.uniform(-30, 30, (200, 7))
    near = rng.uniform(SAWYER.q_min, SAWYER.q_max, (200, 7))
    out = into_limits(SAWYER, q, near)
    assert np.abs(wrap(out - q)).max() < 1e-9
    possible = np.abs(wrap(q - 0.5 * (SAWYER.q_min + SAWYER.q_max))) <= 0.5 * (SAWYER.q_max - SAWYER.q_min)
    inside = (out >= SAWYER.q_min - 2e-9) & (out <= SAWYER.q_max + 2e-9)
    assert (inside == possible).all()


@pytest.mark.parametrize(
    ("target", "options", "sentence"),
    [
        ((np.zeros(3), np.ones(3)), {}, "must be a pose"),
        (np.eye(4) * 2, {}, "must be a rotation"),
        (np.eye(4), {"arm_angle": np.nan}, "arm_angle must be finite"),
        (np.eye(4), {"roll": 1.0}, "roll belongs to"),
    ],
)
def test_bad_input(target, options, sentence):
    with pytest.raises(InputError, match=sentence):
        carpal.ik_all(SAWYER, target, **options)
