"""Tuned actuators sag and swing as was asked for, in the simulation."""

import dataclasses

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import linkage

import carpal
from carpal.engines import PenaltyEngine, actuator_values, hold_test, mechanism_of, step_test, stiffened, tune
from carpal.engines.penalty.setup.response import Response
from carpal.errors import InputError, UnknownNameError


@pytest.mark.parametrize("sag", [0.002, 0.02])
def test_the_simulated_sag_is_the_wanted_one(sag, figure):
    engine = setup.tuned_engine(setup.chain(2), sag, 1.0)
    found = np.abs(hold_test(engine, 1.0, allowed_drift=1.0).sag)
    figure(f"chain tuned for {sag:g} rad: simulated sag, relative", np.abs(found / sag - 1).max(), 5e-3)


def test_the_sag_of_a_robot_is_the_wanted_one(figure):
    engine = setup.tuned_engine(
        carpal.load("so101_old").replace(q_home=[0.3, 0.4, -0.5, 0.2, 0.1]), 0.005, 1.0, dt=2e-5
    )
    found = np.abs(hold_test(engine, 1.0, allowed_drift=1.0).sag)[1:4]  # the others carry next to nothing
    figure("so101_old tuned for 5 mrad: simulated sag, relative", np.abs(found / 0.005 - 1).max(), 5e-3)


@pytest.mark.parametrize("ratio", [0.1, 0.3, 0.6])
def test_the_simulated_damping_ratio_is_the_wanted_one(ratio, figure):
    """Of a step response: the overshoot of a second-order system is exp(-pi zeta / sqrt(1 - zeta^2))."""
    engine = setup.tuned_engine(setup.chain(1), 0.01, ratio)
    overshoot = step_test(engine, 2.0, size=0.01, samples=4000).overshoot[0]
    found = -np.log(overshoot) / np.sqrt(np.pi**2 + np.log(overshoot) ** 2)
    figure(f"chain tuned for a damping ratio of {ratio:g}: simulated one, relative", abs(found / ratio - 1), 0.02)


def test_a_linkage_is_tuned_by_its_quasi_static_response(figure):
    made = linkage("crank_slider")
    mechanism = dataclasses.replace(made.mechanism(drive=1.2), gravity=np.array([0.0, -9.81, 0.0]))
    result = tune(stiffened(mechanism, 5e-5), 0.01, 1.0)
    engine = PenaltyEngine(result.mechanism, dt=5e-5)
    end = engine.run(engine.start(), steps=20_000, command=[1.2]).state
    found = actuator_values(engine.mechanism, end.q)[0] - 1.2
    figure("crank and slider tuned for 10 mrad: simulated sag, relative", abs(abs(found) / 0.01 - 1), 5e-3)
    assert np.sign(found) == np.sign(result.load[0])


def test_passive_damping_counts():
    model = setup.chain(1, damping=0.2)
    mechanism = stiffened(mechanism_of(model, drives=True).mechanism, 1e-4)
    free = tune(stiffened(mechanism_of(setup.chain(1), drives=True).mechanism, 1e-4), 0.01, 1.0)
    with_damper = tune(mechanism, 0.01, 1.0)
    assert with_damper.D[0] == pytest.approx(free.D[0] - 0.2) and with_damper.damping_ratio[0] == pytest.approx(1.0)
    over = tune(mechanism, 0.01, 1e-3)
    assert over.D[0] == 0.0 and over.damping_ratio[0] > 1e-3


def test_the_gains_of_the_thesis_ring(figure):
    """Erratum E11: joints 1 to 4 of the catcher are far from overdamped; critical damping of the first needs about 38."""
    mechanism = mechanism_of(carpal.load("catcher_arm"), drives=True).mechanism
    felt = [Response(mechanism, PenaltyEngine(mechanism, dt=1e-9).start().q).felt(k) for k in range(4)]
    P, D = np.array([1200, 1000, 1500, 1000]), np.array([5, 3, 5, 3])
    critical = 2 * np.sqrt(P * [each.inertia for each in felt])
    figure("catcher: largest damping ratio of joints 1 to 4 with the thesis's gains", (D / critical).max(), 0.25)
    figure("catcher: critical D of joint 1 against 38 (E11), relative", abs(critical[0] / 38 - 1), 0.05)


def test_least_loads_limits_and_the_result_as_data():
    mechanism = mechanism_of(carpal.load("so101_old"), [0.3, 0.4, -0.5, 0.2, 0.1], drives=True).mechanism
    result = tune(mechanism, 0.01)
    assert result.counted[0] == pytest.approx(0.05 * np.abs(result.load).max()) and result.counted[0] > abs(
        result.load[0]
    )
    assert pytest.approx(200.0) == tune(mechanism, 0.01, least_load=2.0).P
    data = result.to_dict()
    assert data["actuators"][0] == "shoulder_pan" and len(data["P"]) == 5 and bool(result) and str(result)
    one = tune(mechanism, 0.01, actuators=["elbow_flex"])
    assert one.names == ("elbow_flex",) and one.mechanism.actuators[0].P == 0
    weak = dataclasses.replace(
        mechanism, actuators=tuple(dataclasses.replace(a, limit=0.1) for a in mechanism.actuators)
    )
    assert not tune(weak, 0.01) and "too weak for its load: 'shoulder_lift'" in tune(weak, 0.01).status


def test_bad_input_gets_one_sentence():
    mechanism = mechanism_of(setup.chain(2), drives=True).mechanism
    weightless = dataclasses.replace(mechanism, gravity=np.zeros(3))
    for call, told in (
        (lambda: tune("arm", 0.1), "takes a Mechanism; got str"),
        (lambda: tune(mechanism, -0.1), "sag must be finite and above zero"),
        (lambda: tune(mechanism, [0.1] * 3), "sag must be a number or 2 of them"),
        (lambda: tune(mechanism, 0.1, np.nan), "damping_ratio must be finite"),
        (lambda: tune(mechanism_of(setup.chain(2)).mechanism, 0.1), "nothing to tune"),
        (lambda: tune(weightless, 0.1), "nothing pulls at actuator 'j0'"),
    ):
        with pytest.raises(InputError, match=told):
            call()
    with pytest.raises(UnknownNameError, match="did you mean 'j1'"):
        tune(mechanism, 0.1, actuators=["j7"])
