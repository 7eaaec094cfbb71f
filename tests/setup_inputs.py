"""Trees and engines that the tests of the set-up aids share."""

from __future__ import annotations

import numpy as np

from carpal.engines import PenaltyEngine, mechanism_of, stiffened, tune
from carpal.model import Body, Joint, Mechanism, Model
from carpal.spatial import Inertia, pose, rotation_about

DT = 5e-5


def solid(rng, mass=None):
    com = rng.uniform(-0.05, 0.05, 3)
    return Inertia(rng.uniform(0.3, 1.0) if mass is None else mass, com, np.diag(rng.uniform(0.002, 0.003, 3)))


def mixed_tree(seed=3, damping=0.0):
    """Every kind of joint: hinge, slide, ball, a fixed body on the way, and a free body with an arm of its own."""
    rng = np.random.default_rng(seed)

    def joint(name, kind, **more):
        X = pose(rotation_about(_unit(rng), rng.uniform(-1, 1)), rng.uniform(-0.15, 0.15, 3))
        Y = pose(rotation_about(_unit(rng), rng.uniform(-1, 1)), rng.uniform(-0.05, 0.05, 3))
        return Joint(name, kind, X_PJ=X, axis=_unit(rng), X_JB=Y, **more)

    bodies = (
        Body("base", None, joint("weld", "fixed"), solid(rng)),
        Body("upper", "base", joint("shoulder", "revolute", damping=damping), solid(rng)),
        Body("sleeve", "upper", joint("slide", "prismatic", q_min=-0.3, q_max=0.3, damping=20 * damping), solid(rng)),
        Body("clamp", "sleeve", joint("glue", "fixed"), solid(rng, 0.2)),
        Body("lower", "clamp", joint("elbow", "ball"), solid(rng)),
        Body("hand", "lower", joint("wrist", "revolute", damping=damping), solid(rng)),
        Body("ship", None, joint("sky", "free"), solid(rng)),
        Body("mast", "ship", joint("mast", "revolute"), solid(rng)),
    )
    model = Model("mixed", bodies)
    q = np.array(model.q_home)
    for name, value in (("shoulder", 0.7), ("slide", 0.05), ("wrist", -0.4), ("mast", 0.3)):
        q[model.q_index(name)] = value
    first = model.q_index("elbow")
    q[first : first + 4] = [0.9, 0.1, -0.3, 0.2]
    return model.replace(q_home=q)


def _unit(rng):
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)


def chain(joints=2, **more):
    """A chain of rods, 0.2 m each, hinged along y, that stands out sideways; the tip is heavy."""
    bodies = []
    for i in range(joints):
        at = pose(p=[0.2, 0, 0]) if i else np.eye(4)
        inertia = Inertia(0.5, [0.1, 0, 0], np.diag([2e-4, 2e-3, 2e-3]))
        hinge = Joint(f"j{i}", "revolute", X_PJ=at, axis=[0, 1, 0], **more)
        bodies.append(Body(f"rod{i}", f"rod{i - 1}" if i else None, hinge, inertia))
    return Model("chain", tuple(bodies), q_home=np.full(joints, 0.3))


def tuned_engine(model, sag=0.01, ratio=1.0, dt=DT) -> PenaltyEngine:
    mechanism = tune(stiffened(mechanism_of(model, drives=True).mechanism, dt), sag, ratio).mechanism
    return PenaltyEngine(mechanism, dt=dt)


def free_engine(what, dt=DT) -> PenaltyEngine:
    mechanism = what if isinstance(what, Mechanism) else mechanism_of(what).mechanism
    return PenaltyEngine(stiffened(mechanism, dt), dt=dt)
