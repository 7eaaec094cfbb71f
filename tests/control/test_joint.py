"""Joint laws: their formulas, where they bring a robot, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_q, random_state, random_tree
from scipy.spatial.transform import Rotation

import carpal
from carpal.control import ComputedTorque, GravityPD, JointPD
from carpal.dynamics import gravity_forces, inverse_dynamics, mass_matrix
from carpal.engines import RigidEngine, simulate
from carpal.errors import InputError, MissingInertiaError, UnknownNameError
from carpal.kinematics import integrate
from carpal.model import Box, Scene, State

Figure = Callable[..., None]
ARM = carpal.load("so101_old")


def test_pd_is_its_formula_on_axes() -> None:
    q, v = np.arange(5) / 10, np.arange(5) / 5
    kp, kd = np.arange(1.0, 6.0), np.arange(2.0, 7.0)
    target, speed = np.full(5, 0.2), np.full(5, 0.1)
    law = JointPD(ARM, kp, kd, target, speed)
    assert np.allclose(law(0.0, State(0.0, q, v)), kp * (target - q) + kd * (speed - v), rtol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_ball_and_free_joints_take_the_shortest_rotation(seed: int) -> None:
    """The error is the rotation vector that `integrate` follows to the target, in the parent's axes."""
    model = random_tree(seed, joints=8, free="anywhere")
    rng = np.random.default_rng(seed)
    q, target = random_q(model, rng), random_q(model, rng)
    e = JointPD(model, 1.0, 0.0, target, actuated=model.joint_names)(0.0, State(0.0, q, np.zeros(model.nv)))
    there = integrate(model, q, e)
    for kind, first in model.joint_slices():
        if kind in ("revolute", "prismatic"):
            assert there[first] == pytest.approx(target[first], abs=1e-14)
            continue
        start = first + (3 if kind == "free" else 0)
        a, b = (Rotation.from_quat(x[start : start + 4], scalar_first=True) for x in (there, target))
        assert (a.inv() * b).magnitude() < 1e-13
        assert there[first:start] == pytest.approx(target[first:start], abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_gravity_and_computed_torque_are_the_dynamics(seed: int, figure: Figure) -> None:
    model = random_tree(seed, joints=8, free="anywhere")
    q, v, _ = random_state(model, np.random.default_rng(seed), (4,))
    target, state = random_q(model, np.random.default_rng(seed + 100)), State(0.0, q, v)
    everything = {"actuated": model.joint_names}
    pd = JointPD(model, 3.0, 2.0, target, **everything)(0.0, state)
    weight, scale = gravity_forces(model, q), np.abs(gravity_forces(model, q)).max() + 1
    held = GravityPD(model, 3.0, 2.0, target, **everything)(0.0, state)
    figure(
        f"tree {seed}: gravity compensation off inverse dynamics / largest",
        np.abs(held - pd - weight).max() / scale,
        1e-13,
    )
    torque = ComputedTorque(model, 3.0, 2.0, target, **everything)(0.0, state)
    assert np.array_equal(torque, inverse_dynamics(model, q, v, pd))


def test_gravity_pd_holds_where_pd_sags(figure: Figure) -> None:
    engine, target = RigidEngine(ARM, dt=1e-3), np.array([0.3, -0.2, 0.4, 0.1, 0.0])
    felt, sag = np.diag(mass_matrix(ARM, target)), []
    for law in (JointPD, GravityPD):
        rec = simulate(engine, State.home(ARM), law(ARM, 100 * felt, 20 * felt, target), 3.0, every=100)
        sag.append(np.abs(rec.q[-1] - target).max())
    figure("so101_old held by PD with gravity compensation after 3 s: off its target [rad]", sag[1], 1e-6)
    assert sag[0] > 1e-2


def test_computed_torque_makes_every_joint_the_same_oscillator(figure: Figure) -> None:
    """Critically damped: e(t) = e0 (1 + w t) exp(-w t), up to the hold of u over a step."""
    w, dt = 10.0, 1e-3
    law = ComputedTorque(ARM, w**2, 2 * w, np.full(5, 0.2))
    errors = []
    for dt in (2e-3, 1e-3):
        rec = simulate(RigidEngine(ARM, dt=dt), State.home(ARM), law, 0.3)
        expected = 0.2 - 0.2 * (1 + w * rec.time) * np.exp(-w * rec.time)
        errors.append(np.abs(rec.q - expected[:, None]).max())
    figure("computed torque on so101_old, 0.3 s: off the critically damped curve at dt = 1 ms [rad]", errors[1], 2e-3)
    figure(
        "computed torque: the held control's error, observed order", np.log2(errors[0] / errors[1]), 0.9, at_least=True
    )


def test_a_function_of_time_is_followed(figure: Figure) -> None:
    def wave(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s, c = np.sin(2 * t), np.cos(2 * t)
        return np.full(5, 0.3 * s), np.full(5, 0.6 * c), np.full(5, -1.2 * s)

    q, v, _ = wave(0.0)
    rec = simulate(RigidEngine(ARM), State(0.0, q, v), ComputedTorque(ARM, 400.0, 40.0, wave), 1.0)
    off = np.abs(rec.q - np.array([wave(t)[0] for t in rec.time])).max()
    figure("computed torque following a wave for 1 s: largest error [rad]", off, 2e-4)


def test_who_gets_forces() -> None:
    scene = Scene().add_robot(ARM, name="arm", mount="free").add_object("box", Box((0.1, 0.1, 0.1)), mass=1.0)
    model = scene.build()
    u = GravityPD(model, 1.0, 1.0, model.q_home)(0.0, scene.start())
    assert np.array_equal(u[:6], np.zeros(6)) and np.array_equal(u[-6:], np.zeros(6)) and np.abs(u[6:-6]).max() > 0.1
    only = GravityPD(model, 1.0, 1.0, model.q_home, actuated=["arm/elbow_flex"])(0.0, scene.start())
    assert np.flatnonzero(only).tolist() == [model.v_index("arm/elbow_flex")]


def test_forces_stop_at_the_limit_where_asked() -> None:
    model = carpal.load("sawyer")
    far = model.q_home + 2.0
    state = State.home(model)
    assert (np.abs(JointPD(model, 1e4, 0.0, far)(0.0, state)) > model.tau_max).all()
    assert np.array_equal(JointPD(model, 1e4, 0.0, far, limited=True)(0.0, state), model.tau_max)


def test_bad_input_is_one_sentence() -> None:
    for error, match, call in [
        (InputError, "kp must be finite, zero or above; got -1", lambda: JointPD(ARM, -1, 0, np.zeros(5))),
        (InputError, "kd must be finite", lambda: JointPD(ARM, 1, np.nan, np.zeros(5))),
        (InputError, "kp must be one number or 5", lambda: JointPD(ARM, [1, 2], 0, np.zeros(5))),
        (InputError, "q_target of model 'so101_old' needs 5 numbers", lambda: JointPD(ARM, 1, 0, np.zeros(4))),
        (InputError, r"q_target\[1\] is nan", lambda: GravityPD(ARM, 1, 0, [0, np.nan, 0, 0, 0])),
        (InputError, "v_target of model 'so101_old' needs 5", lambda: ComputedTorque(ARM, 1, 0, np.zeros(5), np.zeros(3))),
        (UnknownNameError, "unknown moving joint of model 'so101_old' 'elbow'; did you mean 'elbow_flex'",
         lambda: JointPD(ARM, 1, 0, np.zeros(5), actuated=["elbow"])),
    ]:  # fmt: skip
        with pytest.raises(error, match=match):
            call()
    unknown = carpal.load("sia5")
    if not unknown.has_inertia:
        with pytest.raises(MissingInertiaError):
            GravityPD(unknown, 1, 1, unknown.q_home)
