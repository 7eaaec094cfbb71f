"""Small mechanisms with known motion, for the tests of the penalty engine."""

from __future__ import annotations

import numpy as np

from carpal.engines import PenaltyEngine
from carpal.model import Body, Joint, Mechanism, MechanismBody, Model, PlacedShape, Plane, PointJoint, hinge
from carpal.spatial import Inertia, rotation_about

STANDARD = np.array([0.0, 0.0, -9.81])


def pose(p=(0.0, 0.0, 0.0), R=None):
    X = np.eye(4)
    X[:3, 3] = p
    X[:3, :3] = np.eye(3) if R is None else R
    return X


def about_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def body(name="body", mass=1.0, com=(0.0, 0.0, 0.0), moments=(0.01, 0.02, 0.03), **more):
    return MechanismBody(name, Inertia(mass, np.array(com), np.diag(moments)), **more)


def pendulum(angle, *, stiffness=1e6, damping=1e2, **more):
    """A rod on a hinge along y at the origin, centre of mass 0.1 m from it, `angle` from hanging."""
    rod = body("rod", 1.0, (0.0, 0.0, -0.1), (0.01, 0.01, 0.01), X_WB=pose(R=about_y(angle)))
    pins = hinge("pin", None, rod, [0, 0, 0], [0, 1, 0], span=0.1, stiffness=stiffness, damping=damping)
    return Mechanism("pendulum", (rod,), pins, **more)


def pendulum_angle(state):
    """Of the rod's z axis about y."""
    w, y = state.q[..., 3], state.q[..., 5]
    return 2 * np.arctan2(y, w)


def floor(X=None):
    return (PlacedShape("floor", None, Plane(), np.eye(4) if X is None else X),)


def held_by_points(*points, stiffness=1e6, damping=1e2, **more):
    """One body held at points of the world."""
    return Mechanism(
        "held",
        (body(**more),),
        tuple(PointJoint(f"p{i}", None, p, "body", p, stiffness, damping) for i, p in enumerate(points)),
    )


def trace(engine: PenaltyEngine, state, steps, every, **more):
    """States at every so many steps."""
    out = [state]
    for _ in range(steps // every):
        out.append(engine.run(out[-1], steps=every, **more).state)
    return out


def ledger(engine: PenaltyEngine, state, steps, **more):
    """Residual of the ledger over a run, the energy exchanged, and the run's end."""
    before = engine.energies(state)
    end = engine.run(state, steps=steps, **more)
    after = engine.energies(end.state)
    residual = abs(sum(after) + end.dissipated - sum(before) - end.work_in)
    exchanged = max(abs(after[0] - before[0]), abs(after[1] - before[1]), abs(end.dissipated), abs(end.work_in))
    return float(residual), float(exchanged), end


def hinged_tree(seed, bodies, stiffness):
    """A random tree of hinged bodies: as a mechanism, and as the model that the rigid engine moves; both at rest at q = 0."""
    rng = np.random.default_rng(seed)
    X_W: list = []
    parts, joints, links = [], (), []
    for i in range(bodies):
        parent = None if i == 0 else int(rng.integers(max(0, i - 4), i))
        step = pose(rng.uniform(-0.15, 0.15, 3), rotation_about(_unit(rng), rng.uniform(-1, 1)))
        X_W.append(step if parent is None else X_W[parent] @ step)
        axis = _unit(rng)
        moments = rng.uniform(0.002, 0.003, 3)
        inertia = Inertia(rng.uniform(0.3, 1.0), rng.uniform(-0.05, 0.05, 3), np.diag(moments))
        parts.append(MechanismBody(f"b{i}", inertia, X_W[i]))
        above = None if parent is None else parts[parent]
        p, along = X_W[i][:3, 3], X_W[i][:3, :3] @ axis
        damping = 0.04 * np.sqrt(stiffness)
        joints += hinge(f"j{i}", above, parts[i], p, along, span=0.1, stiffness=stiffness, damping=damping)
        name = None if parent is None else f"b{parent}"
        links.append(Body(f"b{i}", name, Joint(f"j{i}", "revolute", X_PJ=step, axis=axis), inertia))
    return Mechanism("tree", tuple(parts), joints), Model("tree", tuple(links))


def _unit(rng):
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)
