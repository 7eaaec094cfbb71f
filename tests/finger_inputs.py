"""Spring fingers that several tests share, and their energies written once more from positions, in plain numpy."""

from __future__ import annotations

import numpy as np

from carpal.labs.finger import FingerLoad, SpringFinger

FACTS = {"length": (0.045, 0.030, 0.025), "mass": (0.015, 0.010, 0.008), "stiffness": (0.05, 0.03, 0.02)}
"""Test values of the size of a human finger."""


def facts_finger(**changes) -> SpringFinger:
    return SpringFinger(**(FACTS | changes))


def random_finger(rng: np.random.Generator, *, damped: bool = True, stops: bool = False) -> SpringFinger:
    """Sizes of fingers, everything drawn: mass centres, inertias, neutral angles, gravity in any direction."""
    length = rng.uniform(0.02, 0.06, 3)
    mass = rng.uniform(0.004, 0.03, 3)
    g = rng.normal(size=3)
    return SpringFinger(
        length,
        mass,
        stiffness=rng.uniform(0.01, 0.1, 3),
        damping=rng.uniform(2e-4, 3e-3, 3) if damped else np.zeros(3),
        neutral=rng.uniform(-0.5, 0.5, 3),
        tendon_arm=rng.uniform(0.003, 0.01, 3),
        gravity=9.81 * g / np.linalg.norm(g),
        com=length * rng.uniform(0.3, 0.7, 3),
        inertia=mass * length**2 * rng.uniform(0.05, 0.15, 3),
        q_min=rng.uniform(-1.0, -0.6, 3) if stops else np.full(3, -np.inf),
        q_max=rng.uniform(0.6, 1.8, 3) if stops else np.full(3, np.inf),
    )


def random_load(rng: np.random.Generator, *, across: bool = True) -> FingerLoad:
    return FingerLoad(
        torque=rng.normal(0, 0.005, 3),
        tension=rng.uniform(0, 3),
        tip_force=rng.normal(0, 0.05, 2),
        tip_across=rng.normal(0, 0.05) if across else 0.0,
        tip_moment=rng.normal(0, 0.002),
    )


def bodies(finger: SpringFinger, q, v=None):
    """Mass centres, tip, their velocities, and absolute rates; from positions alone."""
    theta = np.cumsum(q)
    w = np.zeros(3) if v is None else np.cumsum(v)
    at, moving, centres, speeds = np.zeros(2), np.zeros(2), [], []
    for i in range(3):
        along = np.array([np.sin(theta[i]), np.cos(theta[i])])
        across = w[i] * np.array([np.cos(theta[i]), -np.sin(theta[i])])
        centres.append(at + finger.com[i] * along)
        speeds.append(moving + finger.com[i] * across)
        at, moving = at + finger.length[i] * along, moving + finger.length[i] * across
    return centres, speeds, at, w


def kinetic(finger: SpringFinger, q, v) -> float:
    _, speeds, _, w = bodies(finger, q, v)
    return 0.5 * sum(finger.mass[i] * speeds[i] @ speeds[i] + finger.inertia[i] * w[i] ** 2 for i in range(3))


def potential(finger: SpringFinger, q, load: FingerLoad | None = None) -> float:
    """Gravity, springs, and loads that have a potential (no force across)."""
    centres, _, tip, _ = bodies(finger, q)
    U = -sum(finger.mass[i] * centres[i] @ finger.gravity[:2] for i in range(3))
    U += 0.5 * float(finger.stiffness @ (np.asarray(q) - finger.neutral) ** 2)
    if load is not None:
        U -= float((load.torque + finger.tendon_arm * load.tension) @ q) + float(load.tip_force @ tip)
        U -= float(load.tip_moment) * float(np.sum(q))
    return U


def slope(function, x, step=1e-5):
    """Derivative of a function by central differences of order four, along the last axis."""
    out = []
    for i in range(len(x)):
        d = np.zeros(len(x))
        d[i] = step
        out.append(
            (8 * (function(x + d) - function(x - d)) - (function(x + 2 * d) - function(x - 2 * d))) / (12 * step)
        )
    return np.stack(out, -1)
