"""A first guess of springs and dampers without simulating: each joint's balance of moments, weighted and integrated.

Summed from joint i outwards the Lagrangian's equations read d/dt P_i = known_i - k_i (q_i - n_i) - c_i v_i, with P_i the momentum
about joint i. Times smooth windows and integrated by parts (the weak form, as in Shinbrot's method of moment functions, 1957)
they need the rates only inside P_i and the known part, and are linear in k_i, c_i and k_i n_i. Noise in the angles biases such a
guess; `identify_finger` only starts from it.
"""

from __future__ import annotations

import numpy as np

from carpal.dynamics import gravity_forces, mass_matrix
from carpal.labs.finger.load import load_torques
from carpal.labs.finger.record import FingerRecord
from carpal.labs.finger.robot import SpringFinger
from carpal.labs.finger.statics import TO_ABSOLUTE
from carpal.spatial import Array

SHARES = (0.04, 0.1, 0.25)  # of the record, lengths of windows
FEWEST = 7  # samples in a window
SMOOTHED = 7  # samples in the line whose slope is a rate


def first_guess(finger: SpringFinger, record: FingerRecord, *, fit_neutral: bool) -> tuple[Array, Array, Array]:
    """Stiffness, damping and neutral angles (3 each); the finger's own where the record says nothing sensible."""
    t, q = record.time, record.q
    v = _slopes(t, q)
    P = np.einsum("nij,nj->ni", mass_matrix(finger.chain, q), v)
    known = _known_moments(finger, q, v, record.load)
    windows = _windows(t)
    k, c, n = finger.stiffness.copy(), finger.damping.copy(), finger.neutral.copy()
    for i in range(3):
        left = np.array(
            [-_integral(t[a:b], slope * P[a:b, i]) - _integral(t[a:b], w * known[a:b, i]) for a, b, w, slope in windows]
        )
        bend = q[:, i] if fit_neutral else q[:, i] - n[i]
        columns = [
            [-_integral(t[a:b], w * bend[a:b]) for a, b, w, _ in windows],
            [_integral(t[a:b], slope * q[a:b, i]) for a, b, _, slope in windows],
        ]
        if fit_neutral:
            columns.append([_integral(t[a:b], w) for a, b, w, _ in windows])
        found, *_ = np.linalg.lstsq(np.array(columns).T, left, rcond=None)
        if not found[0] > 0:
            continue
        k[i], c[i] = found[0], max(found[1], 0.0)
        if fit_neutral:
            n[i] = found[2] / found[0]
    return k, c, n


def _windows(t: Array) -> list[tuple[int, int, Array, Array]]:
    """(first, past the last, window, its slope): (1 - u^2)^3 over stretches that overlap by half."""
    out = []
    for share in SHARES:
        width = max(FEWEST, int(share * len(t)))
        for first in range(0, len(t) - width + 1, max(1, width // 2)):
            part = t[first : first + width]
            half = 0.5 * (part[-1] - part[0])
            u = (part - part[0]) / half - 1.0
            out.append((first, first + width, (1 - u**2) ** 3, -6 * u * (1 - u**2) ** 2 / half))
    return out


def _integral(t: Array, y: Array) -> float:
    return float(np.trapezoid(y, t))


def _slopes(t: Array, q: Array) -> Array:
    """Rates by straight lines through a few neighbours, which noise disturbs less than differences."""
    half = SMOOTHED // 2
    v = np.empty_like(q)
    for i in range(len(t)):
        a, b = max(0, i - half), min(len(t), i + half + 1)
        d = t[a:b] - t[a:b].mean()
        v[i] = d @ q[a:b] / (d @ d)
    return v


def _known_moments(finger: SpringFinger, q: Array, v: Array, load: Array) -> Array:
    """(n, 3) joint torques that are neither of springs nor of dampers: dK/dq, gravity, loads [N m]."""
    row, theta, w = finger.row, np.cumsum(q, -1), np.cumsum(v, -1)
    a = row[3] * np.sin(theta[:, 1] - theta[:, 0]) * w[:, 0] * w[:, 1]
    b = row[4] * np.sin(theta[:, 2] - theta[:, 0]) * w[:, 0] * w[:, 2]
    d = row[5] * np.sin(theta[:, 2] - theta[:, 1]) * w[:, 1] * w[:, 2]
    kinetic = np.stack([a + b, d - a, -b - d], -1) @ TO_ABSOLUTE
    return kinetic - gravity_forces(finger.chain, q) + load_torques(finger, q, load)
