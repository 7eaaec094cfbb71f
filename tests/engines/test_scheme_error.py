"""What a scheme's order explains of an energy residual: closed forms of the differences, and runs at two steps."""

import numpy as np
import pytest

from carpal.dynamics import kinetic_energy
from carpal.engines import Contact, ModalEngine, Surface, simulate
from carpal.engines.checking import check_recording
from carpal.engines.scheme_error import energy_parts, scheme_bound, smooth_steps, smooth_sum
from carpal.model import Body, Box, Ellipsoid, Joint, Model, Plane, Scene, State
from carpal.spatial import Inertia


def test_the_sum_of_differences_of_a_parabola_and_of_a_step_that_is_not_smooth():
    t = np.arange(11.0)
    parts, smooth = np.column_stack([3.0 * t**2, 5.0 * t]), np.ones(10, bool)
    assert smooth_sum(parts, smooth, 1) == 6.0 * 9
    assert smooth_sum(parts, smooth, 1, stride=4.0) == 6.0 * 9 / 4
    assert smooth_sum(parts, smooth, 4) == 0.0
    parts[6:, 1] += 100.0  # a collision between rows 5 and 6
    assert smooth_sum(parts, smooth, 1) > 200
    smooth[5] = False
    assert smooth_sum(parts, smooth, 1) == 6.0 * 9
    assert smooth_sum(parts, np.zeros(10, bool), 1) is None


def test_collisions_and_changes_of_modes_are_no_smooth_steps():
    def row(mode):
        return [Contact("a", "b", mode, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0, (0.0, 0.0, 1.0))]

    rows = [row("sticking"), row("sticking"), row("impact"), row("sliding"), row("sliding"), []]
    assert smooth_steps(rows, 6, modes=False).tolist() == [True, True, False, True, True]
    assert smooth_steps(rows, 6, modes=True).tolist() == [True, True, False, False, True]


def test_the_parts_add_up_to_the_kinetic_energy():
    joint = Joint("hinge", "revolute", axis=(0, 1, 0))
    tip = Body("tip", "rod", Joint("elbow", "revolute", axis=(0, 1, 0)), Inertia(0.5, (0.2, 0, 0), np.eye(3) * 1e-3))
    model = Model("two", (Body("rod", None, joint, Inertia(1.0, (0.5, 0, 0), np.eye(3) * 1e-3)), tip))
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(200, 2)), rng.normal(size=(200, 2))
    parts = energy_parts(model, q, v, np.arange(200.0))
    assert np.abs(parts[:, :-1].sum(axis=1) - kinetic_energy(model, q, v)).max() < 1e-14
    assert (parts[:, -1] == np.arange(200.0)).all()


def test_the_bound_falls_with_the_step_and_holds_the_residual(figure):
    """An ellipsoid that rolls and slips: first order."""
    scene = Scene("ellipsoid").add_fixed("floor", Plane())
    twist = [0.6, 0.1, 0, 1.0, 6.0, 2.0]
    scene.add_object("e", Ellipsoid((0.1, 0.07, 0.05)), mass=0.6, pose=[0, 0, 0.05], twist=twist)
    bounds = []
    for dt in (1e-3, 5e-4):
        run = simulate(ModalEngine(scene.build(), dt=dt, surface=Surface(mu=0.6)), scene.start(), duration=0.2)
        bounds.append(scheme_bound(run))
        found = check_recording(run)
        figure(f"ellipsoid, {dt:g} s: residual of its bound", found.worst["residual"] / bounds[-1], 1.0)
        assert found.bounds["residual"] == pytest.approx(bounds[-1], rel=1e-3)
        assert found.bounds["residual"] < 0.15 * run.energy["kinetic"].max()
    assert 1.6 < bounds[0] / bounds[1] < 2.6
    run.energy["residual"][-1] = 2.0 * found.bounds["residual"]
    assert "which the order of the scheme explains" in check_recording(run).status


def test_other_engines_have_none():
    scene = Scene("box").add_object("box", Box((0.1, 0.1, 0.1)), mass=1.0, pose=[0, 0, 1])
    run = simulate(ModalEngine(scene.build()), State(0.0, scene.start().q, scene.start().v), duration=0.01)
    assert scheme_bound(run) is not None
    run.metadata["engine"] = "mujoco"
    assert scheme_bound(run) is None
