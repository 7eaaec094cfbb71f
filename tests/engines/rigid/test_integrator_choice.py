"""The default integrator, and the implicit one where explicit ones are not stable."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from closed_loops import Y, bar

from carpal.dynamics import mass_matrix
from carpal.engines import RigidEngine, Staged, simulate
from carpal.engines.rigid.integrator_choice import choose_integrator, free_mobility, passive_rates
from carpal.errors import InputError
from carpal.model import Actuator, Body, Coupling, Joint, Model, State
from carpal.spatial import Inertia

Figure = Callable[..., None]


def wheel(**joint: float) -> Model:
    """I = 0.5 kg m^2, no weight."""
    return Model(
        "wheel",
        (Body("w", None, Joint("axle", "revolute", axis=Y, **joint), Inertia(1.0, np.zeros(3), 0.5 * np.eye(3))),),
    )


def test_rates_are_the_oscillators_eigenvalues() -> None:
    engine = RigidEngine(wheel(stiffness=50.0, damping=1.0))
    mobility = free_mobility(engine.model, np.array([False]))
    assert mobility == pytest.approx(2.0) and free_mobility(engine.model, np.array([True])) == 0.0
    rates = passive_rates(engine.model, np.array([1.0]), np.zeros(1), 0.01, engine.lines, lambda: mobility)
    assert np.allclose(sorted(rates, key=np.imag), [-1 - 1j * np.sqrt(99), -1 + 1j * np.sqrt(99)])


def test_the_choice_follows_step_and_stiffness() -> None:
    for changes, dt, name in (
        ({}, 1e-3, "rk4"), ({"damping": 100.0}, 1e-3, "rk4"), ({"damping": 2000.0}, 1e-3, "implicit"),
        ({"damping": 1000.0}, 1e-4, "rk4"), ({"stiffness": 1e4}, 1e-3, "rk4"), ({"stiffness": 1e7}, 1e-3, "implicit"),
        ({"friction": 20.0}, 1e-3, "implicit"), ({"friction": 0.2}, 1e-3, "rk4"),
    ):  # fmt: skip
        engine = RigidEngine(wheel(**changes), dt=dt)
        assert engine.integrator == name, changes
    assert RigidEngine(wheel(damping=1e3), damping=False).integrator == "rk4"
    servo = Actuator("s", "position", joint="axle", gain=1e7, bias=(0.0, -1e7, 0.0))
    assert RigidEngine(wheel(), actuators=[servo]).integrator == "implicit"
    assert choose_integrator(np.zeros(0), 1e-3) == "rk4"


def test_what_constraints_hold_is_not_stiff() -> None:
    """A heavily damped joint that a coupling holds still moves no more, and needs no implicit steps."""
    model = Model("arm", (bar("one", None, 0.0, 0.3), bar("two", "one", 0.3, 0.4, damping=1e3)))
    assert RigidEngine(model).integrator == "implicit"
    held = model.replace(couplings=(Coupling("held", "hinge_two", None, (0.0,)),))
    engine = RigidEngine(held)
    assert engine.integrator == "rk4"
    M = mass_matrix(model, np.zeros(2))
    assert np.allclose(engine._mobility(), np.diag([1.0 / M[0, 0], 0.0]), rtol=0, atol=1e-12)
    assert np.allclose(RigidEngine(model)._mobility(), np.linalg.inv(M))


def test_the_choice_is_recorded() -> None:
    recording = simulate(RigidEngine(wheel(damping=1e4)), State(0.0, np.zeros(1), np.ones(1)), None, 0.01)
    assert recording.metadata["integrator"] == "implicit"


def test_implicit_steps_refuse_staged_controls() -> None:
    with pytest.raises(InputError, match="need the integrator 'rk4'; got 'implicit'"):
        RigidEngine(wheel(damping=1e4)).step(State.home(wheel()), Staged(*np.zeros((3, 1))))


@pytest.mark.parametrize("stiff", [1.0, 1e3, 1e6, 1e9])
def test_a_stiff_damped_oscillator_follows_backward_euler(stiff: float, figure: Figure) -> None:
    """(I + h d + h^2 k) v' = I v - h k q, q' = q + h v': the closed form of the method, and it never grows."""
    k, d, h, I = 50.0 * stiff, 2.0 * stiff, 1e-2, 0.5
    engine = RigidEngine(wheel(stiffness=k, damping=d), dt=h, integrator="implicit")
    end = engine.run(State(0.0, np.array([0.3]), np.array([4.0])), np.zeros(1), 50).state
    q, v = 0.3, 4.0
    for _ in range(50):
        v = (I * v - h * k * q) / (I + h * d + h * h * k)
        q += h * v
    figure(
        f"damped oscillator, k {k:g} N m/rad, 50 implicit steps: off its closed form [rad]", abs(end.q[0] - q), 1e-12
    )
    assert abs(end.q[0]) < 0.3 + 4.0 * I / d


def test_friction_stops_a_wheel_and_never_turns_it_round() -> None:
    """f dt / (v_s I) = 4000: explicit steps throw it back and forth."""
    engine = RigidEngine(wheel(friction=20.0), dt=1e-3, friction_speed=1e-5, integrator="implicit")
    state, speeds = State(0.0, np.zeros(1), np.array([1.0])), []
    for _ in range(60):
        state = engine.step(state, np.zeros(1))
        speeds.append(float(state.v[0]))
    assert min(speeds) >= 0.0 and speeds[10] == pytest.approx(1.0 - 0.04 * 11, abs=0.03) and speeds[-1] < 1e-4


def test_stiff_models_converge_to_mujocos_implicit_steps(figure: Figure) -> None:
    """A falling arm with stiff damping and a stiff servo; both methods are of first order, so they meet as dt shrinks."""
    mujoco = pytest.importorskip("mujoco")
    model = Model("arm", (bar("one", None, 0.0, 0.3, damping=30.0), bar("two", "one", 0.3, 0.4, damping=0.1)))
    servo = Actuator("p", "position", joint="hinge_two", gain=500.0, bias=(0.0, -500.0, -20.0))
    xml = """<mujoco><option timestep="{}" integrator="implicitfast"/><compiler angle="radian"/><worldbody>
    <body><joint name="a" axis="0 1 0" damping="30"/><inertial pos="0.15 0 0" mass="1" diaginertia="1e-3 0.0075 0.0075"/>
    <body pos="0.3 0 0"><joint name="b" axis="0 1 0" damping="0.1"/>
    <inertial pos="0.2 0 0" mass="1" diaginertia="1e-3 0.0133333333333333333 0.0133333333333333333"/></body></body></worldbody>
    <actuator><position joint="b" kp="500" kv="20"/></actuator></mujoco>"""
    apart = []
    for steps in (200, 400):
        engine = RigidEngine(model, dt=0.2 / steps, integrator="implicit", actuators=[servo], ctrl=lambda time: [0.5])
        end = engine.run(State(0.0, np.zeros(2), np.zeros(2)), np.zeros(2), steps).state
        native = mujoco.MjModel.from_xml_string(xml.format(0.2 / steps))
        data = mujoco.MjData(native)
        data.ctrl[:] = 0.5
        mujoco.mj_step(native, data, nstep=steps)
        apart.append(np.abs(end.q - data.qpos).max())
    figure("stiff arm, 0.2 s at 0.5 ms: off MuJoCo's implicitfast [rad]", apart[1], 2e-3)
    figure("the same: order at which they meet", np.log2(apart[0] / apart[1]), 0.8, at_least=True)
