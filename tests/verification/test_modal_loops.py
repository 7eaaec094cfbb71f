"""The modal engine's closed linkages against the equation of the one freedom that is left, and their closure."""

import closed_linkages as linkages
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.model import PlacedShape, Sphere, State
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
        f"{name}, extrapolated, against its own equation after 0.4 s", np.abs(2 * ends[1] - ends[0] - truth).max(), 2e-4
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
    """A rocker whose tip hits a ball: velocities after the collision keep the loop closed, and energy is conserved."""
    model = linkages.four_bar()
    q = linkages.four_bar_q(0.3)
    fixed = model.replace(
        shapes=(
            PlacedShape("tip", "crank", Sphere(0.02), pose(p=np.array([linkages.CRANK, 0.0, 0.0]))),
            PlacedShape("anvil", None, Sphere(0.05), pose(p=np.array([0.02, 0.0, -0.25]))),
        )
    )
    engine = ModalEngine(fixed, dt=1e-3, surface=Surface(mu=0.3, restitution=0.8))
    state, hits = _start(q), 0.0
    for _ in range(60):
        state, ledger, _ = engine.run_with_ledger(state, None, 10)
        hits += ledger[12]
        speeds = linkages.four_bar_angles(state.q[0] + 1e-6) - linkages.four_bar_angles(state.q[0] - 1e-6)
        speeds *= state.v[0] / 2e-6
        assert np.abs(np.array([speeds[0], speeds[1] - speeds[0], speeds[2]]) - state.v).max() < 0.05 * max(
            1.0, abs(state.v[0])
        )
    assert hits > 0
