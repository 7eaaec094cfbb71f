"""Tendons against closed forms: a mass on a cable, its energy, and where it goes slack."""

import numpy as np
import pytest

from carpal.engines import RigidEngine, Staged, Tendon, simulate
from carpal.errors import CarpalError, InputError
from carpal.model import Body, Joint, Model, State
from carpal.spatial import Inertia


def sliders(*masses: float) -> Model:
    """Independent masses on slides along x, without gravity."""
    bodies = [
        Body(f"m{i}", None, Joint(f"x{i}", "prismatic", axis=np.array([1.0, 0, 0])), Inertia.point(mass, (0, 0, 0)))
        for i, mass in enumerate(masses)
    ]
    return Model(name="sliders", bodies=tuple(bodies), gravity=np.zeros(3), tool=None)


def test_a_pretensioned_cable_is_a_linear_spring(figure) -> None:
    model, k, T0 = sliders(2.0), 50.0, 30.0
    sides = [Tendon(side, {"x0": sign}, k / 2, pretension=T0) for side, sign in (("a", 1.0), ("b", -1.0))]
    engine = RigidEngine(model, dt=1e-3, tendons=sides)
    state, w = State.home(model).replace(q=np.array([0.1])), np.sqrt(k / 2.0)
    recording = simulate(engine, state, None, 2.0)
    exact = 0.1 * np.cos(w * recording.time)
    figure("tendons: a cable as a spring, against the cosine [m]", np.abs(recording.q[:, 0] - exact).max(), 1e-9)
    figure("tendons: energy residual [J]", np.abs(recording.energy["residual"]).max(), 1e-9)
    assert np.allclose(engine.tensions(state), [T0 + 2.5, T0 - 2.5])


def test_a_slack_cable_does_nothing() -> None:
    """One mass flies off along a cable that went slack: at constant speed."""
    model = sliders(1.0)
    engine = RigidEngine(model, dt=1e-3, tendons=[Tendon("rope", {"x0": 1.0}, 100.0)])
    recording = simulate(engine, State.home(model, v=np.array([-2.0])), None, 0.5)
    assert np.array_equal(recording.v[:, 0], np.full(len(recording.time), -2.0))
    back = simulate(engine, State.home(model, v=np.array([2.0])), None, np.pi / 10 + 0.2)  # half a swing, then free
    assert back.v[-1, 0] == pytest.approx(-2.0, abs=1e-4)


def test_damping_takes_energy_and_the_ledger_knows() -> None:
    model = sliders(1.0, 3.0)
    cable = Tendon("between", {"x0": 1.0, "x1": -1.0}, 80.0, damping=1.5, pretension=0.0)
    other = Tendon("back", {"x0": -1.0, "x1": 1.0}, 80.0, damping=1.5, pretension=0.0)
    engine = RigidEngine(model, dt=1e-3, tendons=[cable, other])
    recording = simulate(engine, State.home(model, v=np.array([1.0, 0.0])), None, 1.0)
    momentum = recording.v @ [1.0, 3.0]
    assert np.abs(momentum - 1.0).max() < 1e-12
    assert recording.energy["dissipated"][-1] > 0.1
    assert np.abs(recording.energy["residual"]).max() < 1e-5  # kinks where the cable goes slack cost order


def test_staged_controls_are_integrated_with_the_methods_own_order(figure) -> None:
    """A known force sin(t) on a mass: held controls give first order, staged ones fourth."""

    def end(dt: float, staged: bool) -> float:
        engine = RigidEngine(sliders(1.0), dt=dt)

        def policy(time: float, _: State) -> Staged | np.ndarray:
            parts = [np.array([np.sin(time + s * dt)]) for s in (0.0, 0.5, 1.0)]
            return Staged(*parts) if staged else parts[0]

        return float(simulate(engine, State.home(engine.model), policy, 1.0).q[-1, 0])

    exact = 1.0 - np.sin(1.0)
    errors = [abs(end(dt, True) - exact) for dt in (0.1, 0.05)]
    figure("staged controls: observed order", np.log2(errors[0] / errors[1]), 3.8, at_least=True)
    assert abs(end(0.05, False) - exact) > 1e3 * errors[1]


def test_bad_tendons_are_refused() -> None:
    model = sliders(1.0)
    with pytest.raises(CarpalError, match="x0"):
        RigidEngine(model, tendons=[Tendon("rope", {"x9": 1.0}, 1.0)])
    with pytest.raises(InputError, match="prescribed"):
        RigidEngine(model, prescribed=["x0"], tendons=[Tendon("rope", {"x0": 1.0}, 1.0)])
    with pytest.raises(InputError, match="stiffness"):
        Tendon("rope", {"x0": 1.0}, -1.0)
    with pytest.raises(InputError, match="rk4"):
        RigidEngine(model, integrator="symplectic").step(State.home(model), Staged([0.0], [0.0], [0.0]))
