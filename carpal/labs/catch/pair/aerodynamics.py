"""Flight of a spinning object through air: gravity, drag whose coefficient may depend on speed, and the Magnus force.

Drag is 0.5 rho Cd A |v|^2 against the velocity through the air, Magnus 0.5 rho Cl A |v|^2 along w x v, with
Cl = 1 / (2 + |v| / (r |w|)) (Sawicki, Hubbard and Stronge 2003 fit balls of sports alike). A sphere's Cd is that of Clift and
Gauvin (1971), below the drag crisis. The spin does not decay in a flight of seconds. Objects that are no spheres fly as a sphere
of the volume of their bounding box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.spatial import Array

DENSITY, VISCOSITY = 1.2, 1.5e-5
"""Of air [kg/m^3, m^2/s]."""
CRISIS = 3e5
"""Reynolds number above which a sphere's drag is not this one."""
STEP = 2e-3
"""[s] of Runge and Kutta's rule."""


@dataclass(frozen=True)
class Air:
    """What the air does to an object.

    Args:
        radius: of the sphere of equal volume [m].
        mass: [kg].
        drag: coefficient Cd; 0 is none, negative a sphere's own, which depends on speed.
        gravity: (3) [m/s^2].
        wind: velocity (3) of the air [m/s].
    """

    radius: float
    mass: float
    drag: float
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def force(self, v: Array, w: Array) -> Array:
        """Force of the air (*batch, 3) [N] on objects with velocities v and spins w (*batch, 3) [m/s, rad/s]."""
        along = v - np.array(self.wind)
        speed = np.linalg.norm(along, axis=-1, keepdims=True)
        pressure = 0.5 * DENSITY * np.pi * self.radius**2 * speed
        cd = sphere_drag(2 * self.radius * speed / VISCOSITY) if self.drag < 0 else self.drag
        out = -pressure * cd * along
        if self.drag == 0.0 and not np.any(w):
            return np.zeros_like(along)
        turning = np.cross(w, along)
        size = np.linalg.norm(turning, axis=-1, keepdims=True)
        spin = self.radius * np.linalg.norm(w, axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            lift = np.where(size > 0, pressure * speed / (2.0 + speed / spin) * turning / size, 0.0)
        return out + lift

    def flight(self, p: ArrayLike, v: ArrayLike, w: ArrayLike, duration: float) -> tuple[Array, Array, Array]:
        """Times (n) [s], positions and velocities (n, 3) every `STEP` until the duration has passed."""
        place, speed, spin = (np.asarray(x, float) for x in (p, v, w))
        count = int(np.ceil(duration / STEP)) + 1
        places, speeds = np.zeros((count, 3)), np.zeros((count, 3))
        g = np.array(self.gravity)

        def rate(u: Array) -> Array:
            return np.asarray(g + self.force(u, spin) / self.mass)

        for i in range(count):
            places[i], speeds[i] = place, speed
            a1 = rate(speed)
            v2 = speed + 0.5 * STEP * a1
            a2 = rate(v2)
            v3 = speed + 0.5 * STEP * a2
            a3 = rate(v3)
            v4 = speed + STEP * a3
            a4 = rate(v4)
            place = place + STEP / 6 * (speed + 2 * v2 + 2 * v3 + v4)
            speed = speed + STEP / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return STEP * np.arange(count, dtype=np.float64), places, speeds


def sphere_drag(reynolds: ArrayLike) -> Array:
    """Cd of a smooth sphere (Clift and Gauvin 1971), for Reynolds numbers up to `CRISIS`; zero at rest."""
    re = np.asarray(reynolds, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        cd = 24.0 / re * (1.0 + 0.15 * re**0.687) + 0.42 / (1.0 + 42500.0 * re**-1.16)
    return np.where(re > 0, cd, 0.0)
