"""The modal engine's closed linkages against the equation of the one freedom that is left, and their closure."""

import dataclasses

import closed_linkages as linkages
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.certificate import certificate_of
from carpal.engines.modal.kernels.ledger import HITS
from carpal.errors import InputError
from carpal.model import Model, ModelTendon, PlacedShape, Sphere, State
from carpal.spatial import pose


def _start(q):
    return State(0.0, np.array(q), np.zeros(len(q)))


@pytest.mark.parametrize("spring", [{}, {"stiffness": 3.0, "q_spring": 0.6}])
def test_a_four_bar_moves_as_its_one_freedom_says(spring, figure):
    truth = linkages.four_bar_motion(0.3, 0.4, spring.get("stiffness", 0.0), spring.get("q_spring", 0.0))
    model, q = linkages.four_bar(**spring), linkages.four_bar_q(0.3)
    ends = []
    for dt in (1e-3, 5e-4):  # of first order: two steps of different length give the limit
        advance = ModalEngine(model, dt=dt).run(_start(q), None, round(0.4 / dt))
        assert advance.certificate["constraint_gap"] < 1e-10
        ends.append(np.array([advance.state.q[0], advance.state.v[0]]))
    assert np.abs(ends[1] - truth).max() < 0.7 * np.abs(ends[0] - truth).max()
    name = f"four-bar {'with' if spring else 'without'} spring"
    figure(
        f"{name}, extrapolated, against its own equation after 0.4 s", np.abs(2 * ends[1] - ends[0] - truth).max(), 5e-4
    )


def test_the_accurate_scheme_follows_a_four_bar(figure):
    truth = linkages.four_bar_motion(0.3, 0.1)
    advance = ModalEngine(linkages.four_bar(), dt=2e-3, accurate=True).run(_start(linkages.four_bar_q(0.3)), None, 50)
    error = np.abs([advance.state.q[0] - truth[0], advance.state.v[0] - truth[1]]).max()
    figure("accurate four-bar against its own equation after 0.1 s", error, 1e-6)
    figure("accurate four-bar: residual [m]", advance.certificate["constraint_gap"], 1e-10)


@pytest.mark.parametrize("linkage", ["four_bar", "five_bar"])
def test_loops_stay_closed(linkage, figure, request):
    seconds = 10 if request.config.getoption("-m") == "full" else 1
    if linkage == "four_bar":
        model, q = linkages.four_bar(), linkages.four_bar_q(0.3)
    else:
        model, q = linkages.five_bar()
    advance = ModalEngine(model).run(_start(q), None, 1000 * seconds)
    figure(f"{linkage}: residual over {seconds} s [m]", advance.certificate["constraint_gap"], 1e-10)
    assert np.abs(advance.state.v).max() > 1e-3, "it moves"


def test_a_collision_keeps_the_loop_closed():
    """The crank's tip falls on an anvil: after the collision the linkage still moves as one freedom, slower."""
    q = linkages.four_bar_q(0.3)
    tip = linkages.CRANK * np.array([np.cos(0.6), 0.0, -np.sin(0.6)])
    model = linkages.four_bar().replace(
        shapes=(
            PlacedShape("tip", "crank", Sphere(0.02), pose(p=np.array([linkages.CRANK, 0.0, 0.0]))),
            PlacedShape("anvil", None, Sphere(0.05), pose(p=tip - [0.0, 0.0, 0.06])),
        )
    )
    engine = ModalEngine(model, dt=1e-4, surface=Surface(mu=0.3, restitution=0.8))
    state, hits, turned = _start(q), 0.0, []
    for _ in range(200):
        state, ledger, _ = engine.run_with_ledger(state, None, 20)
        hits += ledger[HITS]
        theta, speed = state.q[0], state.v[0]
        ways = (linkages.four_bar_q(theta + 1e-6) - linkages.four_bar_q(theta - 1e-6)) / 2e-6
        assert np.abs(ways * speed - state.v).max() < 2e-3 * max(1.0, abs(speed))
        assert certificate_of(ledger)["constraint_gap"] < 1e-10
        assert certificate_of(ledger)["energy"] < 1e-9
        turned.append(speed)
    assert hits > 0
    assert min(turned) < -0.1 < 0.1 < max(turned), "it falls and bounces"


def test_an_open_loop_is_refused_by_name():
    with pytest.raises(InputError, match=r"loop 'joint' is open by 0\.0.*satisfy_constraints"):
        ModalEngine(linkages.four_bar()).run(_start(linkages.four_bar_q(0.3) + 0.05), None, 1)


def test_worlds_of_a_batch_are_those_of_single_runs():
    engine = ModalEngine(linkages.four_bar())
    q = np.array([linkages.four_bar_q(theta) for theta in (0.3, 0.5, 0.9)])
    many = engine.run(State(0.0, q, np.zeros_like(q)), None, 50).state
    for k in range(3):
        one = engine.run(_start(q[k]), None, 50).state
        assert (one.q == many.q[k]).all()
        assert (one.v == many.v[k]).all()


def test_a_tendon_stops_at_its_limit_and_a_floating_arm_stays():
    arm = Model("arm", linkages.tied_model().bodies[:2])
    stopped = arm.replace(tendons=(ModelTendon("cord", {"hinge_a": 1.0, "hinge_b": 0.5}, limits=(-np.inf, 0.3)),))
    state, _, _ = ModalEngine(stopped).run_with_ledger(_start([0.0, 0.0]), None, 2000)
    assert state.q[0] + 0.5 * state.q[1] < 0.3 + 1e-9
    free = ModalEngine(arm).run(_start([0.0, 0.0]), None, 500).state
    assert free.q[0] + 0.5 * free.q[1] > 0.5, "without the cord it passes"
    floating = arm.replace(bodies=tuple(dataclasses.replace(body, gravity_compensation=1.0) for body in arm.bodies))
    still = ModalEngine(floating).run(_start([0.4, -0.3]), None, 500).state
    assert np.abs(still.q - [0.4, -0.3]).max() < 1e-12


def test_energy_of_springs_and_tendons_is_in_the_ledger():
    arm = Model("arm", linkages.tied_model().bodies[:2])
    bodies = tuple(
        dataclasses.replace(body, joint=dataclasses.replace(body.joint, stiffness=5.0, q_spring=0.2))
        for body in arm.bodies
    )
    cord = ModelTendon(
        "cord", {"hinge_a": 1.0, "hinge_b": -0.5}, stiffness=30.0, damping=0.5, friction=0.1, rest=(0.0, 0.1)
    )
    lost = []
    for dt in (1e-3, 5e-4):  # the scheme is of first order, and so is what it loses by itself
        engine = ModalEngine(arm.replace(bodies=bodies, tendons=(cord,)), dt=dt)
        start = _start([-0.4, 0.3])
        end = engine.run(start, None, round(0.3 / dt))
        lost.append(float(sum(engine.energies(start)) - sum(engine.energies(end.state)) - end.dissipated))
    assert 0 < lost[1] < lost[0] < 0.1 * float(end.dissipated)
    assert abs(2 * lost[1] - lost[0]) < 0.15 * abs(lost[0]), lost
