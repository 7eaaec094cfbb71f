"""The scene and its drive: everything stands in it, the arm is held against its weight, the digits close at the signal."""

import numpy as np
import pytest
from catch_inputs import panda_pair

import carpal
from carpal.errors import CarpalError
from carpal.labs.catch.pair.pair_catch import begin_catch, draw_throw, plan_of
from carpal.labs.catch.pair.pair_scene import ARM_RATE, CLOSING, neighbours, pair_engine


@pytest.fixture(scope="module")
def begun():
    pair = panda_pair()
    throw = draw_throw(pair, 0, 0.0)
    return (pair, throw, *begin_catch(pair, throw, plan_of(pair, throw), "modal"))


def test_everything_is_there_and_touches(begun):
    pair, _, engine, state, _, drive = begun
    touching = {shape.body for shape in drive.model.shapes if shape.collides}
    assert {"ball", None, "robot/panda_hand", "robot/panda_leftfinger", "robot/panda_link3"} <= touching
    assert all("finger" not in a + b for a, b in neighbours(pair.robot))  # digits touch all that they can
    np.testing.assert_array_equal(state.q[pair.robot.arm_rows], pair.ready)
    assert engine.dt == pair.setup.dt


def test_at_rest_the_drive_carries_the_weight_and_errors_are_corrected(begun):
    pair, _, _, state, policy, drive = begun
    u = policy(0.0, state)
    weight = carpal.inverse_dynamics(pair.robot.rigid, pair.ready, 0 * pair.ready, 0 * pair.ready)
    np.testing.assert_allclose(u[drive.arm], weight, atol=1e-9)
    off = state.replace(q=state.q + np.r_[1e-3, np.zeros(len(state.q) - 1)])
    M = carpal.mass_matrix(pair.robot.rigid, off.q[drive.arm])
    pushed = policy(0.0, off)[drive.arm] - carpal.inverse_dynamics(
        pair.robot.rigid, off.q[drive.arm], 0 * weight, 0 * weight
    )
    np.testing.assert_allclose(pushed, M[:, 0] * -(ARM_RATE**2) * 1e-3, atol=1e-9)
    far = state.replace(q=state.q + np.r_[1.0, np.zeros(len(state.q) - 1)])
    assert (np.abs(policy(0.0, far)[drive.arm]) <= pair.limits.torque).all() and drive.limited == 1


def test_the_digits_close_at_the_signal(begun):
    pair, _, _, _, _, drive = begun
    opened, gripping = drive.set_points(drive.signal), drive.set_points(drive.signal + CLOSING)
    np.testing.assert_allclose(opened, [d.target(pair.palm.cup) for d in pair.robot.drives])
    np.testing.assert_allclose(gripping, [d.grip for d in pair.robot.drives])
    assert drive.signal == pytest.approx(drive.plan.time - pair.palm.lead)


def test_the_air_acts_on_the_object_alone(begun):
    pair, throw, _, state, policy, drive = begun
    still = state.replace(v=0 * state.v)
    force = (policy(0.0, state) - policy(0.0, still))[drive.object : drive.object + 3]
    np.testing.assert_allclose(force, pair.air.force(throw[1], throw[2]), atol=1e-12)


def test_other_engines_are_refused(begun):
    drive = begun[-1]
    with pytest.raises(CarpalError, match="modal, mujoco"):
        pair_engine("rigid", drive.model, drive, None, 1e-3)
