"""Robots with secret inertias, and recordings of them."""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.dynamics import exciting_motion, inverse_dynamics
from carpal.dynamics.identification import _inertia
from carpal.dynamics.pseudo_inertia import body_parameters, coordinates_of
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose


def ten_of(inertia: Inertia) -> np.ndarray:
    """Mass, first moment and inertia about the origin."""
    I = inertia.about_origin
    return np.array([inertia.mass, *inertia.moment, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


def with_secrets(model: Model, seed: int) -> Model:
    """The same robot with other masses, centres and inertias, a fifth away."""
    rng = np.random.default_rng(seed)
    bodies = []
    for body in model.bodies:
        inertia = body.inertia
        if inertia is not None and inertia.mass > 0:
            eta = coordinates_of(ten_of(inertia))
            eta[:4] += 0.2 * rng.normal(size=4)
            eta[4:] += 0.1 * rng.normal(size=6) * np.exp(eta[1:4].mean())
            inertia = _inertia(body_parameters(eta))
        bodies.append(dataclasses.replace(body, inertia=inertia))
    return model.replace(bodies=tuple(bodies))


def three_joints() -> Model:
    """A turning base, an elbow, and a slide, with a flange fixed to the last body."""
    box = Inertia(2.0, np.array([0.1, 0.02, -0.03]), np.diag([0.02, 0.03, 0.025]))
    bodies = (
        Body("base", None, Joint("turn", "revolute", axis=(0, 0, 1), q_min=-2.0, q_max=2.0, v_max=2.0), box),
        Body(
            "arm",
            "base",
            Joint("bend", "revolute", pose(p=[0.1, 0, 0.3]), (0, 1, 0), q_min=-1.5, q_max=1.5, v_max=2.0),
            box,
        ),
        Body(
            "rod",
            "arm",
            Joint("slide", "prismatic", pose(p=[0.3, 0, 0]), (1, 0, 0), q_min=0.0, q_max=0.4, v_max=0.6),
            box,
        ),
        Body("flange", "rod", Joint("bolts", X_PJ=pose(p=[0.1, 0, 0])), Inertia(0.5, np.zeros(3), 1e-3 * np.eye(3))),
    )
    return Model("three_joints", bodies)


def recording(model: Model, seed: int, *, noise: float = 0.02, dt: float = 0.002, duration: float = 12.0):
    """(motion, joint forces with noise, viscous, coulomb) of a robot that is excited."""
    rng = np.random.default_rng(seed)
    motion = exciting_motion(model, duration, dt, tries=5, seed=1)
    viscous, coulomb = rng.uniform(0.5, 2.0, model.nv), rng.uniform(0.5, 3.0, model.nv)
    tau = inverse_dynamics(model, motion.q, motion.v, motion.vdot) + viscous * motion.v + coulomb * np.sign(motion.v)
    return motion, tau + noise * np.abs(tau).max(axis=0) * rng.normal(size=tau.shape), viscous, coulomb
