"""Thesis 2's finger (appendix B.2): M, V and G of every finger of `cuhk_hand` against automatic differentiation.

Oracle: positions of three point masses with numbers that carry first and second derivatives (hyper-dual numbers), and the
closed forms of the fact sheet. Only `mass_matrix`, `inverse_dynamics`, `fk` and an integrator are asked.
"""

from __future__ import annotations

import numpy as np
import pytest

import carpal
from carpal.dynamics import kinetic_energy, potential_energy
from carpal.engines import RigidEngine
from carpal.model import State
from carpal.model.catalogue.cuhk_hand import GRAVITY, LENGTHS, LINK_MASS, base_pose

L1, L2, L3 = LENGTHS
FINGERS = ("thumb", "index", "middle", "ring", "little")


class Jet:
    """x + a e1 + b e2 + c e1 e2 with e1^2 = e2^2 = 0: c is the mixed second derivative, without error."""

    def __init__(self, x, a=0.0, b=0.0, c=0.0):
        self.parts = (x, a, b, c)

    def __add__(self, other):
        return Jet(*(p + q for p, q in zip(self.parts, lift(other).parts, strict=True)))

    __radd__ = __add__

    def __mul__(self, other):
        x, a, b, c = self.parts
        y, p, q, r = lift(other).parts
        return Jet(x * y, x * p + a * y, x * q + b * y, x * r + a * q + b * p + c * y)

    __rmul__ = __mul__

    def through(self, f, df, ddf):
        x, a, b, c = self.parts
        return Jet(f(x), a * df(x), b * df(x), c * df(x) + a * b * ddf(x))


def lift(x):
    return x if isinstance(x, Jet) else Jet(x)


def sin(x):
    return x.through(np.sin, np.cos, lambda z: -np.sin(z))


def cos(x):
    return x.through(np.cos, lambda z: -np.sin(z), lambda z: -np.cos(z))


def masses(q):
    """Positions of the three masses in the finger's base frame; x is up."""
    q1, q2, q3 = q
    reach = (L1, L1 + L2 * cos(q2), L1 + L2 * cos(q2) + L3 * cos(q2 + q3))
    up = (0.0, L2 * sin(q2), L2 * sin(q2) + L3 * sin(q2 + q3))
    return [(cos(q1) * r, sin(q1) * r, lift(z)) for r, z in zip(reach, up, strict=True)]


def differentiated(q, v):
    """M, V, G by derivatives of the positions: M = sum m J^T J, V = sum m J^T (H v v), G = sum m g J_x."""
    J, H = np.zeros((3, 3, 3)), np.zeros((3, 3, 3, 3))
    for k in range(3):
        for l in range(3):
            jets = [Jet(q[i], float(i == k), float(i == l)) for i in range(3)]
            for i, point in enumerate(masses(jets)):
                for axis in range(3):
                    J[i, axis, k] = point[axis].parts[1]
                    H[i, axis, k, l] = point[axis].parts[3]
    M = LINK_MASS * np.einsum("iak,ial->kl", J, J)
    V = LINK_MASS * np.einsum("iak,ialm,l,m->k", J, H, v, v)
    return M, V, LINK_MASS * GRAVITY * J[:, 0].sum(axis=0)


def printed(q, v):
    """The fact sheet's closed forms of B.2."""
    m, g, (q1, q2, q3), (w1, w2, w3) = LINK_MASS, GRAVITY, q, v
    s1, c1, s2, c2, s3, c3, s23, c23 = (
        *(f(x) for x in (q1, q2, q3) for f in (np.sin, np.cos)),
        np.sin(q2 + q3),
        np.cos(q2 + q3),
    )
    B, A = L1 + L2 * c2, L1 + L2 * c2 + L3 * c23
    M = np.zeros((3, 3))
    M[0, 0] = m * L1**2 + m * B**2 + m * A**2
    M[1, 1] = m * L2**2 + m * (L2**2 + L3**2 + 2 * L2 * L3 * c3)
    M[1, 2] = M[2, 1] = m * L3 * (L2 * c3 + L3)
    M[2, 2] = m * L3**2
    both = m * L2 * s2 * B + m * A * (L2 * s2 + L3 * s23)
    V = np.array([
        -2 * both * w1 * w2 - 2 * m * L3 * s23 * A * w1 * w3,
        both * w1**2 - m * L2 * L3 * s3 * (2 * w2 * w3 + w3**2),
        m * L3 * s23 * A * w1**2 + m * L2 * L3 * s3 * w2**2,
    ])  # fmt: skip
    G = np.array([
        -g * s1 * (m * L1 + m * B + m * A), -g * c1 * (m * L2 * s2 + m * (L2 * s2 + L3 * s23)), -g * m * L3 * c1 * s23,
    ])  # fmt: skip
    return M, V, G


@pytest.mark.parametrize("finger", range(5), ids=FINGERS)
def test_the_finger_model_is_its_derivatives(finger, figure):
    hand = carpal.load("cuhk_hand")
    rng = np.random.default_rng(finger)
    own = slice(3 * finger, 3 * finger + 3)
    off = {"M": 0.0, "V": 0.0, "G": 0.0}
    sheet = 0.0
    for _ in range(40):
        q, v, still = rng.uniform(-2, 2, 15), rng.normal(size=15) * 3, np.zeros(15)
        wanted = dict(zip("MVG", differentiated(q[own], v[own]), strict=True))
        G = carpal.inverse_dynamics(hand, q, still, still)
        found = {
            "M": carpal.mass_matrix(hand, q)[own, own],
            "V": (carpal.inverse_dynamics(hand, q, v, still) - G)[own],
            "G": G[own],
        }
        for name in "MVG":
            off[name] = max(off[name], np.abs(found[name] - wanted[name]).max())
        for a, b in zip(printed(q[own], v[own]), wanted.values(), strict=True):
            sheet = max(sheet, np.abs(a - b).max())
    for name, unit in (("M", "kg m^2"), ("V", "N m"), ("G", "N m")):
        figure(f"thesis 2's {FINGERS[finger]}: {name} off automatic differentiation [{unit}]", off[name], 1e-12)
    figure(f"thesis 2's {FINGERS[finger]}: closed forms of the fact sheet off automatic differentiation", sheet, 1e-15)


def test_the_fingertip_is_where_the_thesis_has_it(figure):
    hand = carpal.load("cuhk_hand")
    rng = np.random.default_rng(9)
    off = 0.0
    for i, name in enumerate(FINGERS):
        q = rng.uniform(-2, 2, 15)
        q1, q2, q3 = q[3 * i : 3 * i + 3]
        A = L1 + L2 * np.cos(q2) + L3 * np.cos(q2 + q3)
        p = np.array([np.cos(q1) * A, np.sin(q1) * A, L2 * np.sin(q2) + L3 * np.sin(q2 + q3)])
        s1, c1, s, c = np.sin(q1), np.cos(q1), np.sin(q2 + q3), np.cos(q2 + q3)
        R = np.array([[c1 * c, -c1 * s, s1], [s1 * c, -s1 * s, -c1], [s, c, 0.0]])
        X = np.linalg.inv(base_pose(name)) @ carpal.fk(hand, q, f"{name}_tip")
        off = max(off, np.abs(X[:3, 3] - p).max(), np.abs(X[:3, :3] - R).max())
    figure("thesis 2's fingertips: pose off (B.3) [m, 1]", off, 1e-14)


def test_a_finger_without_torque_keeps_its_energy(figure):
    """The sheet's own run: 2.3e-7 J over 1 s with 1 ms steps of fourth order."""
    hand = carpal.load("cuhk_hand")
    state = State(0.0, np.tile([0.3, 0.5, 0.4], 5), np.tile([1.0, -2.0, 3.0], 5))
    start = kinetic_energy(hand, state.q, state.v) + potential_energy(hand, state.q)
    engine = RigidEngine(hand, dt=1e-3, damping=False)
    for _ in range(1000):
        state = engine.step(state, np.zeros(15))
    end = kinetic_energy(hand, state.q, state.v) + potential_energy(hand, state.q)
    figure(
        "five torque-free fingers, 1 s of 1 ms: energy off [J]", abs(end - start), 5e-6, note="five fingers; 1e-6 each"
    )
