"""The finger's equations of motion as Prabhu (2018) prints them, (6.30), (6.32), (6.34): for comparison, never for use.

They differ from the Lagrangian that they are said to follow from: the diagonal spring terms carry Y4, Y5, Y6 where twice that is
right (half of k1 + k2, k2 + k3, k3 is missing), the first damper is c1 - c2 for c1 + c2 (negative, and so driving the motion,
where c1 < c2), and the last one is divided by X2 for X3. Each equation holds the other accelerations, so they are solved
together (F-1). `printed_motion` shows what that does to the energy of (6.12) and (6.19).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import DivergedError, InputError
from carpal.labs.finger.dynamics import finger_energy
from carpal.labs.finger.motion import positive
from carpal.labs.finger.robot import SpringFinger, three
from carpal.spatial import Array

WOUND_UP = 20 * np.pi  # [rad] of a phalanx, at which a motion is ended


@dataclass(frozen=True, eq=False)
class PrintedMotion:
    """A motion by the printed equations; it ends early where the finger has wound itself up.

    Args:
        time: (n) [s].
        q, v: (n, 3) joint angles [rad] and rates [rad/s].
        energy: (n) of the true Lagrangian [J].
    """

    time: Array
    q: Array
    v: Array
    energy: Array

    @property
    def energy_error(self) -> float:
        """Largest change of the energy, which nothing outside does, relative to the largest in the motion."""
        return float(np.abs(self.energy - self.energy[0]).max() / np.abs(self.energy).max())

    @property
    def wound_up(self) -> bool:
        """Whether a phalanx turned ten times round, as only springs that push can make it, and the motion was ended there."""
        return bool(np.abs(np.cumsum(self.q[-1])).max() >= WOUND_UP - 1e-6)

    @property
    def energy_gained(self) -> float:
        """Largest rise of the energy above its start [J]; dampers can only take some."""
        return float((self.energy - self.energy[0]).max())


def printed_acceleration(finger: SpringFinger, q: ArrayLike, v: ArrayLike, moment: float = 0.0) -> Array:
    """Joint accelerations (3) [rad/s^2] by the printed equations.

    Args:
        finger: as in Prabhu (2018): gravity along -y, springs slack at zero.
        q: (3) joint angles [rad].
        v: (3) joint rates [rad/s].
        moment: Prabhu's F, a moment on the last phalanx [N m].
    """
    if finger.gravity[0] != 0 or finger.gravity[1] > 0 or finger.neutral.any():
        raise InputError(
            "the printed equations know only gravity along -y and springs that are slack at zero; got gravity "
            f"{finger.gravity.tolist()} and neutral angles {finger.neutral.tolist()}."
        )
    th, w = np.cumsum(three(q, "q")), np.cumsum(three(v, "v"))
    row, k, c = finger.row, finger.stiffness, finger.damping
    twice_x, X4, X5, X6 = row[:3], row[3], row[4], row[5]  # 2 X1, 2 X2, 2 X3
    Y1, Y2, Y3 = -finger.gravity[1] * row[6:9]
    s21, s31, s32 = np.sin(th[1] - th[0]), np.sin(th[2] - th[0]), np.sin(th[2] - th[1])
    c21, c31, c32 = np.cos(th[1] - th[0]), np.cos(th[2] - th[0]), np.cos(th[2] - th[1])
    M = np.array([[twice_x[0], X4 * c21, X5 * c31], [X4 * c21, twice_x[1], X6 * c32], [X5 * c31, X6 * c32, twice_x[2]]])
    rhs = np.array(
        [
            X4 * w[1] ** 2 * s21 + X5 * w[2] ** 2 * s31 + Y1 * np.sin(th[0])
            - 0.5 * (k[0] + k[1]) * th[0] + k[1] * th[1] - (c[0] - c[1]) * w[0] + c[1] * w[1],
            -X4 * w[0] ** 2 * s21 + X6 * w[2] ** 2 * s32 + Y2 * np.sin(th[1])
            - 0.5 * (k[1] + k[2]) * th[1] + k[1] * th[0] + k[2] * th[2] - (c[1] + c[2]) * w[1] + c[1] * w[0] + c[2] * w[2],
            -X5 * w[0] ** 2 * s31 - X6 * w[1] ** 2 * s32 + Y3 * np.sin(th[2])
            - 0.5 * k[2] * th[2] + k[2] * th[1] - c[2] * twice_x[2] / twice_x[1] * (w[2] - w[1]) + moment,
        ]
    )  # fmt: skip
    a = np.linalg.solve(M, rhs)
    return np.diff(a, prepend=0.0)


def printed_motion(
    finger: SpringFinger, q0: ArrayLike, v0: ArrayLike | None = None, *, duration: float = 2.0, samples: int = 401
) -> PrintedMotion:
    """Follow the printed equations, by SciPy's order-8 method with a relative tolerance of 1e-9.

    Args:
        finger: as in Prabhu (2018): gravity along -y, springs slack at zero.
        q0: (3) joint angles at the start [rad].
        v0: (3) joint rates at the start [rad/s]; zero by default.
        duration: [s].
        samples: moments that are kept.
    """
    from scipy.integrate import solve_ivp

    if not isinstance(samples, int) or samples < 2:
        raise InputError(f"samples must be a whole number, 2 or above; got {samples!r}.")
    start = np.concatenate([three(q0, "q0"), three(0.0 if v0 is None else v0, "v0")])
    time = np.linspace(0.0, positive("duration", duration), samples)

    def rates(_: float, x: Array) -> Array:
        return np.concatenate([x[3:], printed_acceleration(finger, x[:3], x[3:])])

    def wound(_: float, x: Array) -> float:
        return WOUND_UP - float(np.abs(np.cumsum(x[:3])).max())

    wound.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(rates, (0.0, time[-1]), start, method="DOP853", t_eval=time, rtol=1e-9, atol=1e-12, events=wound)
    if not found.success:
        raise DivergedError(f"the printed equations could not be followed beyond {found.t[-1]:.3g} s: {found.message}")
    times, states = found.t, found.y.T
    if found.status == 1:
        times, states = np.append(times, found.t_events[0]), np.concatenate([states, found.y_events[0]])
    q, v = states[:, :3], states[:, 3:]
    return PrintedMotion(times, q, v, finger_energy(finger, q, v).sum(-1))
