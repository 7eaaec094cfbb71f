"""Closed-form workspace of an arm with waist, shoulder and an elbow that bends out of its plane (Leutenegger 2008, the K10).

With f = s_e + e_w cos th3 and l = e_w sin th3 the wrist is at rho^2 = (f c2 + e_e s2)^2 + l^2, Z = e_e c2 - f s2, Z measured from
the shoulder. The more the elbow bends, the less latitude is left: rho >= e_w |sin th3| and Z^2 <= f^2 + e_e^2. What no angle
reaches is a hollow around the waist's axis, for e_e = 0 exactly a sphere of radius e_w centred s_e above the shoulder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array


@dataclass(frozen=True)
class OffsetElbow:
    """Lengths [m] and the shoulder's and elbow's limits [rad] of such an arm.

    Args:
        w_s, s_e, e_e, e_w: waist to shoulder, shoulder to elbow, elbow offset, elbow to wrist.
        shoulder, elbow: (lower, upper).
    """

    w_s: float
    s_e: float
    e_e: float
    e_w: float
    shoulder: tuple[float, float] = (-np.pi, np.pi)
    elbow: tuple[float, float] = (-np.pi, np.pi)

    @staticmethod
    def of(model: Model) -> OffsetElbow:
        """Read from a model whose first three joints have this shape; anything else is refused."""
        rows = model.tables.bodies[1:5]
        kinds = model.tables.joints[1:5, 0]
        if len(rows) < 4 or (kinds != 1).any():
            raise InputError(f"model '{model.name}' does not begin with four revolute joints.")
        p2, p3, p4 = rows[1, 9:12], rows[2, 9:12], rows[3, 9:12]
        turned = [row[:9].reshape(3, 3) for row in rows[1:3]]
        shoulder, elbow = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        shaped = (
            np.allclose(turned[0], shoulder)
            and np.allclose(turned[1], elbow)
            and np.allclose(p2[:2], 0)
            and np.allclose(p3[1:], 0)
            and np.isclose(p4[1], 0)
        )
        if not shaped:
            raise InputError(f"model '{model.name}' is not an arm with waist, shoulder and offset elbow like the K10.")
        limits = [(float(model.q_min[i]), float(model.q_max[i])) for i in (1, 2)]
        return OffsetElbow(float(p2[2]), float(p3[0]), float(p4[2]), float(p4[0]), *limits)

    def wrist(self, th2: ArrayLike, th3: ArrayLike) -> tuple[Array, Array]:
        """(rho, z) of the wrist: distance from the waist's axis and height above the base."""
        th2, th3 = np.asarray(th2, float), np.asarray(th3, float)
        f, l = self.s_e + self.e_w * np.cos(th3), self.e_w * np.sin(th3)
        x = f * np.cos(th2) + self.e_e * np.sin(th2)
        return np.hypot(x, l), self.w_s + self.e_e * np.cos(th2) - f * np.sin(th2)

    def reachable(self, rho: ArrayLike, z: ArrayLike, *, limits: bool = True) -> np.ndarray:
        """Whether the wrist can be at (rho, z); with `limits`, whether some branch keeps shoulder and elbow inside theirs.

        The waist turns fully, up to its own limits.
        """
        rho, Z = np.broadcast_arrays(np.asarray(rho, float), np.asarray(z, float) - self.w_s)
        c3 = (rho**2 + Z**2 - self.e_e**2 - self.s_e**2 - self.e_w**2) / (2 * self.s_e * self.e_w)
        possible = np.abs(c3) <= 1 + 1e-12  # rounding must not close the workspace's own boundary
        th3 = np.arccos(np.clip(c3, -1, 1))
        f = self.s_e + self.e_w * np.cos(th3)
        hh = f**2 + self.e_e**2 - Z**2
        possible &= hh >= -1e-15
        if not limits:
            return possible
        found = np.zeros(rho.shape, bool)
        for side in (1.0, -1.0):
            x = side * np.sqrt(np.maximum(hh, 0.0))
            th2 = np.arctan2(self.e_e * x - f * Z, f * x + self.e_e * Z)
            for bend in (th3, -th3):
                found |= _between(th2, self.shoulder) & _between(bend, self.elbow)
        return possible & found

    def hollow_radius(self, z: ArrayLike) -> Array:
        """Least rho (without limits) at height z; zero where there is no hollow, NaN where nothing is reachable."""
        Z = np.asarray(z, float) - self.w_s
        inner = np.sqrt(np.maximum(Z**2 - self.e_e**2, 0.0))  # the |f| at which the wrist stands on Z with x = 0
        low, high = self.s_e - self.e_w, self.s_e + self.e_w
        c3 = np.clip((inner - self.s_e) / self.e_w, -1, 1)
        rho = np.where(
            inner <= low, np.sqrt(np.maximum(low**2 + self.e_e**2 - Z**2, 0.0)), self.e_w * np.sqrt(1 - c3**2)
        )
        return np.where(inner > high + 1e-15, np.nan, rho)

    def least_rho(self, z_low: float, z_high: float) -> float:
        """Least rho inside the limits for heights between two values, to better than 0.1 mm; NaN where none."""
        best = np.nan
        top = self.w_s + float(np.hypot(self.s_e + self.e_w, self.e_e))  # where the hollow closes
        heights = np.linspace(z_low, z_high, 201)
        for z in np.append(heights, top) if z_low <= top <= z_high else heights:
            rho = np.linspace(0.0, self.s_e + self.e_w + self.e_e, 8001)
            ok = self.reachable(rho, z)
            if ok.any():
                best = np.fmin(best, rho[np.argmax(ok)])
        return float(best)

    def lowest(self) -> tuple[float, float]:
        """(z, rho) of the lowest wrist point inside the limits."""
        th2 = np.linspace(*self.shoulder, 2001)[:, None]
        th3 = np.linspace(*self.elbow, 2001)[None]
        rho, z = self.wrist(th2, th3)
        i = np.unravel_index(np.argmin(z), z.shape)
        return float(z[i]), float(rho[i])


def _between(angle: Array, limits: tuple[float, float]) -> np.ndarray:
    """Whether an angle, or the same angle a turn away, is inside the limits."""
    low, high = limits
    inside = np.zeros(np.shape(angle), bool)
    for turn in (-2 * np.pi, 0.0, 2 * np.pi):
        inside |= (low - 1e-12 <= angle + turn) & (angle + turn <= high + 1e-12)
    return inside
