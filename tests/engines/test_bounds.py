"""Bounds of energy and depth: closed forms of what moves, and runs that break them."""

import math

import numpy as np
import pytest

from carpal.engines import ENERGY_SHARES, Contact, MuJoCoEngine, RigidEngine, simulate
from carpal.engines.bounds import (
    closure_limit,
    contact_limit,
    energy_bound,
    energy_kept,
    energy_limit,
    energy_share,
    half_thickness,
)
from carpal.model import (
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Coupling,
    Cylinder,
    Ellipsoid,
    Joint,
    Model,
    PlacedShape,
    Plane,
    Scene,
    Sphere,
    State,
)
from carpal.spatial import Inertia


def test_the_bound_is_a_share_of_what_moved_and_of_what_is_stored():
    kinetic, potential = np.array([0.0, 3.0, 1.0]), np.array([10.0, 8.0, 9.0])
    work, lost = np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.25, 0.5])
    moved, stored = 3.0 + 2.0 + 1.0 + 0.5, 3.0 + 10.0
    assert energy_bound(0.1, kinetic, potential, work, lost) == pytest.approx(0.1 * moved + 1e-9 * stored, rel=1e-15)
    many = [np.stack([rows, 2 * rows]) for rows in (kinetic, potential, work, lost)]
    assert np.allclose(energy_bound(0.1, *many), [1, 2] * energy_bound(0.1, kinetic, potential, work, lost), rtol=1e-15)


def test_schemes_without_a_bound_and_ledgers_that_are_not_complete_are_not_judged():
    energy = {name: np.zeros(2) for name in ("kinetic", "potential", "work_in", "dissipated")} | {
        "residual": np.ones(2)
    }
    known = {"engine": "rigid", "integrator": "rk4"}
    limit = energy_limit(known, energy)
    assert limit is not None and limit.bound == 0.0 and "5 %" in limit.basis
    assert energy_limit({"engine": "playback", "integrator": "none"}, energy) is None
    assert energy_limit({**known, "ledger_incomplete": "no losses"}, energy) is None


def pendulum(damping: float = 0.0) -> Model:
    """A rod on a hinge."""
    joint = Joint("hinge", "revolute", axis=(0, 1, 0), damping=damping)
    return Model("pendulum", (Body("rod", None, joint, Inertia(1.0, (0.5, 0, 0), np.eye(3) * 1e-3)),))


def test_an_unstable_run_gains_energy_and_is_not_ok():
    model = pendulum(damping=753.0)  # rk4 is stable up to damping dt / inertia = 2.785; here it is 3.0 at 1 ms
    steep = simulate(RigidEngine(model, dt=1e-3, integrator="rk4"), State.home(model), duration=0.035)
    assert not steep.ok
    assert (
        "the energy residual [J] is" in steep.status
        and "5 % of the energy that moved, for rigid with rk4" in steep.status
    )
    assert not steep.check() and steep.check().worst["residual"] > steep.check().bounds["residual"]
    fine = simulate(RigidEngine(model, dt=2e-4, integrator="rk4"), State.home(model), duration=0.05)
    assert fine.ok and fine.check(), fine.status
    assert "but" not in fine.status


def test_the_rigid_engines_share_falls_with_its_step_as_its_residual_does(figure):
    """A pendulum with friction that no step below resolves: first order for every scheme, and always inside the bound."""
    joint = Joint("hinge", "revolute", axis=(0, 1, 0), friction=1.0, damping=0.2)
    model = Model("pendulum", (Body("rod", None, joint, Inertia(1.0, (0.5, 0, 0), np.eye(3) * 1e-3)),))
    assert energy_share("rigid", "rk4", 2e-3) == energy_share("rigid", "rk4", 1e-3) == 0.05
    assert energy_share("mujoco", "euler", 1e-4) == 0.2 and energy_share("playback", "none", 1e-3) is None
    for integrator, share in (("rk4", 0.05), ("symplectic", 0.1), ("implicit", 0.2)):
        missed = {}
        for dt in (1e-3, 5e-4, 2.5e-4):
            run = simulate(RigidEngine(model, dt=dt, integrator=integrator), State.home(model), duration=1.0)
            limit = energy_limit(run.metadata, run.energy)
            assert run.ok and limit is not None, run.status
            assert energy_share("rigid", integrator, dt) == pytest.approx(share * dt / 1e-3, rel=1e-15)
            missed[dt] = limit.values.max() / limit.bound
            figure(f"energy residual of {integrator} over its bound, friction, dt {dt:g} s", missed[dt], 1.0)
        if integrator != "rk4":  # which resolves friction at the shorter steps
            assert 0.5 < missed[2.5e-4] / missed[1e-3] < 2.0, "the bound falls as the residual does"
    assert (
        "0.5 % of the energy that moved, for rigid with rk4 in steps of 0.0001 s"
        in energy_limit({"engine": "rigid", "integrator": "rk4", "dt": 1e-4}, run.energy).basis
    )


def test_worlds_are_judged_one_by_one():
    engine = RigidEngine(pendulum())
    kinetic = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.5]])
    potential = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    assert energy_kept(engine, kinetic, potential, np.zeros((2, 3, 2))).tolist() == [True, False]


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        (Sphere(0.3), 0.3),
        (Capsule(0.1, 1.0), 0.1),
        (Box((0.4, 0.2, 0.6)), 0.1),
        (Cylinder(0.3, 0.2), 0.1),
        (Cylinder(0.05, 0.2), 0.05),
        (Ellipsoid((0.3, 0.2, 0.1)), 0.1),
        (Plane(), math.inf),
        (ConvexMesh([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 0.5]]), 0.25),
    ],
)
def test_half_thickness(shape, half):
    assert half_thickness(shape) == pytest.approx(half, rel=1e-15)


def touch(a: str, b: str, depth: float) -> Contact:
    return Contact(a, b, "", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), depth, (0.0, 0.0, 0.0))


def test_a_thin_body_bounds_its_own_contacts_only():
    joint = {"kind": "free"}
    bodies = tuple(
        Body(name, None, Joint(name, **joint), Inertia(1.0, (0, 0, 0), np.eye(3))) for name in ("thin", "thick")
    )
    shapes = (
        PlacedShape("t", "thin", Box((1.0, 1.0, 0.02))), PlacedShape("k", "thick", Sphere(0.5)), PlacedShape("f", None, Plane()),
    )  # fmt: skip
    model = Model("two", bodies, shapes=shapes)
    fine = contact_limit(model, [(), (touch("thick", "", 0.1), touch("thin", "", 0.005))])
    assert fine is not None and fine.values.max() == pytest.approx(0.005) and fine.bound == pytest.approx(0.01)
    deep = contact_limit(model, [(touch("thin", "thick", 0.012),), (touch("thick", "", 0.3),)])
    assert (
        deep is not None and deep.values.tolist() == pytest.approx([0.012, 0.006]) and deep.bound == pytest.approx(0.01)
    )
    assert "'thin' and 'thick'" in deep.basis
    assert contact_limit(model, [(), ()]) is None


def test_a_plate_shot_into_the_floor_is_not_ok():
    scene = Scene("plate")
    scene.add_fixed("floor", Plane())
    scene.add_object("plate", Box((0.2, 0.2, 0.002)), mass=0.1, pose=(0, 0, 0.05))
    model, start = scene.build(), scene.start()
    fast = start.replace(v=np.array([0, 0, -8.0, 0, 0, 0]))
    run = simulate(MuJoCoEngine(model, dt=1e-3), fast, duration=0.03)
    found = run.check({"residual": np.inf})
    assert not run.ok and not found and "half the thickness of the thinner of" in found.status, run.status
    slow = simulate(MuJoCoEngine(model, dt=1e-3), start, duration=0.1)
    assert slow.ok, slow.status


def test_every_engine_has_its_shares():
    from carpal.engines import ENGINES

    assert {engine for engine, _ in ENERGY_SHARES} == set(ENGINES)


def test_couplings_that_open_are_not_ok():
    joint = {"kind": "revolute", "axis": (0, 1, 0)}
    solid = Inertia(1.0, (0.1, 0, 0), np.eye(3) * 1e-2)
    bodies = (Body("a", None, Joint("a", **joint), solid), Body("b", "a", Joint("b", **joint), solid))
    model = Model("pair", bodies, couplings=(Coupling("c", "b", "a", (0.0, 2.0)),))
    q = np.array([[0.1, 0.2], [0.2, 0.4], [0.3, 0.7]])
    limit = closure_limit(model, {"engine": "rigid"}, q)
    assert limit is not None and limit.values == pytest.approx([0.0, 0.0, 0.1], abs=1e-15) and limit.bound == 1e-6
    begun = closure_limit(model, {"engine": "rigid"}, q[::-1])
    assert begun is not None and begun.bound == pytest.approx(0.101)
    assert closure_limit(model, {"engine": "playback"}, q) is None
    assert closure_limit(model.replace(couplings=()), {"engine": "rigid"}, q) is None
    run = simulate(RigidEngine(model, dt=1e-3), State(0.0, q[0], np.zeros(2)), duration=0.05)
    assert run.ok and run.check().worst["closure"] < 1e-6, run.status
