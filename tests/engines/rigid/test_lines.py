"""Springs, tendons, gravity compensation and actuators of a model, against MuJoCo and closed forms."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from closed_loops import Y, bar
from extended_models import extended_model

from carpal.engines import RigidEngine
from carpal.errors import InputError, UnknownNameError
from carpal.model import Actuator, Body, Joint, Model, ModelTendon, PathStep, State
from carpal.spatial import Inertia

Figure = Callable[..., None]
MJCF = """
<mujoco><option timestep="1e-3" integrator="RK4"/><compiler angle="radian"/><worldbody>
<body gravcomp="0.4"><joint name="a" axis="0 1 0" stiffness="3" springref="0.2" damping="0.05"/>
<inertial pos="0.15 0 0" mass="1" diaginertia="1e-3 0.0075 0.0075"/>
<body pos="0.3 0 0" gravcomp="1"><joint name="b" axis="0 1 0" stiffness="2" springref="-0.1"/>
<inertial pos="0.2 0 0" mass="1" diaginertia="1e-3 0.0133333333333333333 0.0133333333333333333"/></body></body></worldbody>
<tendon><fixed name="t" stiffness="40" damping="0.6" springlength="-0.05 0.1">
<joint joint="a" coef="0.5"/><joint joint="b" coef="-0.7"/></fixed></tendon>
<actuator><position joint="a" kp="8" kv="0.3" gear="1.5" forcerange="-2 2"/><motor tendon="t" gear="2"/></actuator></mujoco>
"""


def arm() -> Model:
    """As `MJCF` says."""
    from dataclasses import replace

    first = bar("one", None, 0.0, 0.3, stiffness=3.0, q_spring=0.2, damping=0.05)
    second = bar("two", "one", 0.3, 0.4, stiffness=2.0, q_spring=-0.1)
    tendon = ModelTendon("t", {"hinge_one": 0.5, "hinge_two": -0.7}, stiffness=40.0, damping=0.6, rest=(-0.05, 0.1))
    drives = (
        Actuator(
            "p", "position", joint="hinge_one", gear=1.5, gain=8.0, bias=(0.0, -8.0, -0.3), force_range=(-2.0, 2.0)
        ),
        Actuator("m", tendon="t", gear=2.0),
    )
    bodies = (replace(first, gravity_compensation=0.4), replace(second, gravity_compensation=1.0))
    return Model("arm", bodies, tendons=(tendon,), actuators=drives)


def test_springs_tendons_compensation_and_actuators_move_as_in_mujoco(figure: Figure) -> None:
    mujoco = pytest.importorskip("mujoco")
    native = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(native)
    model = arm()
    engine = RigidEngine(model, dt=1e-3, actuators=model.actuators, ctrl=[0.4, -0.3])
    assert engine.integrator == "rk4"
    q, v = np.array([0.5, -0.8]), np.array([1.0, -2.0])
    data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, [0.4, -0.3]
    mujoco.mj_step(native, data, nstep=300)
    start = State(0.0, q, v)
    end = engine.run(start, np.zeros(2), 300)
    figure("springs, fixed tendon, compensation, servo and motor, 0.3 s: off MuJoCo's RK4 [rad]",
           np.abs(end.state.q - data.qpos).max(), 1e-9)  # fmt: skip
    rest = sum(engine.energies(end.state)) - sum(engine.energies(start)) - end.work_in + end.dissipated
    assert end.dissipated > 1e-2 and abs(end.work_in) > 1e-2
    figure("the same: energy residual [J]", abs(float(rest)), 1e-5)


def test_a_spring_pendulum_has_its_period(figure: Figure) -> None:
    """Small swings of a rod on a spring: T = 2 pi sqrt(I / (k + m g c))."""
    model = Model("rod", (bar("rod", None, 0.0, 0.6, stiffness=5.0, q_spring=math.pi / 2),))
    I, k = 0.6**2 / 3, 5.0 + 9.81 * 0.3
    period = 2 * math.pi * math.sqrt(I / k)
    engine = RigidEngine(model, dt=period / 1000)
    end = engine.run(State(0.0, np.array([math.pi / 2 + 1e-5]), np.zeros(1)), np.zeros(1), 1000).state
    figure(
        "spring pendulum after its period: off its start / amplitude", abs(end.q[0] - math.pi / 2 - 1e-5) / 1e-5, 1e-6
    )


def test_a_compensated_body_floats() -> None:
    ball = Body(
        "ball",
        None,
        Joint("fly", "free"),
        Inertia(2.0, np.array([0.1, 0, 0]), 0.1 * np.eye(3)),
        gravity_compensation=1.0,
    )
    model = Model("ball", (ball,))
    engine = RigidEngine(model)
    start = State(0.0, np.array([0.0, 0, 1, 1, 0, 0, 0]), np.zeros(6))
    end = engine.run(start, np.zeros(6), 100).state
    assert np.abs(end.q - start.q).max() < 1e-14
    assert sum(engine.energies(end)) == pytest.approx(0.0, abs=1e-12)


def test_dry_friction_of_a_tendon_slows_it_by_its_force(figure: Figure) -> None:
    wheel = Body("w", None, Joint("axle", "revolute", axis=Y), Inertia(1.0, np.zeros(3), 0.5 * np.eye(3)))
    model = Model("wheel", (wheel,), tendons=(ModelTendon("band", {"axle": 0.1}, friction=7.0),))
    engine = RigidEngine(model, dt=1e-3, friction_speed=1e-3)
    end = engine.run(State(0.0, np.zeros(1), np.array([3.0])), np.zeros(1), 1000)
    figure("wheel under a tendon's dry friction after 1 s: speed off its line [rad/s]", abs(end.state.v[0] - 1.6), 1e-9)
    figure("its heat off the lost kinetic energy [J]", abs(end.dissipated - 0.25 * (9 - end.state.v[0] ** 2)), 1e-9)
    assert (
        RigidEngine(model, damping=False).run(State(0.0, np.zeros(1), np.array([3.0])), np.zeros(1), 10).dissipated
        == 0.0
    )


def test_what_is_left_out_is_named() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RigidEngine(extended_model())  # its cable has no spring, damper or friction: nothing is lost
    spring = Body("s", None, Joint("hip", "ball", stiffness=3.0), Inertia(1.0, np.zeros(3), np.eye(3)))
    cables = (
        ModelTendon("rope", {}, (PathStep("site", "tip"),), stiffness=5.0),
        ModelTendon("stop", {"hinge_a": 1.0}, limits=(-1.0, 1.0)),
    )
    model = extended_model()
    with pytest.warns(UserWarning, match=r"model 'extended': the spatial tendon 'rope', the limits of tendon 'stop'\."):
        RigidEngine(model.replace(tendons=(*model.tendons, *cables)))
    with pytest.warns(UserWarning, match=r"the spring of ball joint 'hip'"):
        RigidEngine(Model("hip", (spring,)))


def test_bad_actuators_and_commands_are_one_sentence() -> None:
    model = extended_model()
    for error, match, give in [
        (UnknownNameError, "joint of actuator 'x'", {"actuators": [Actuator("x", joint="nobody")]}),
        (UnknownNameError, "tendon of actuator 'x'", {"actuators": [Actuator("x", tendon="nobody")]}),
        (InputError, "spatial tendon 'cable'", {"actuators": [Actuator("x", tendon="cable")]}),
        (InputError, r"ctrl must be 2 finite numbers, one an actuator \(servo, winch\)",
         {"actuators": model.actuators, "ctrl": [1.0]}),
        (InputError, "ctrl must be 0 finite numbers", {"ctrl": [1.0]}),
    ]:  # fmt: skip
        with pytest.raises(error, match=match):
            RigidEngine(model, **give)
