"""Mass, centre of mass and rotational inertia of a rigid body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.spatial.rotations import Array, skew

POINT_INERTIA = 2e-15
"""Inertia [kg m^2] about each axis given to a point mass: MuJoCo refuses moving bodies below 1e-15."""


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass properties of a body, in the body's frame.

    Args:
        mass: [kg].
        com: centre of mass (3) [m].
        about_com: inertia (3, 3) [kg m^2] about the centre of mass, in the body's axes.
    """

    mass: float
    com: Array
    about_com: Array

    def __post_init__(self) -> None:
        com, about_com = np.array(self.com, float), np.array(self.about_com, float)
        object.__setattr__(self, "mass", float(self.mass))
        if com.shape != (3,) or about_com.shape != (3, 3):
            raise InputError(f"an inertia needs com (3,) and about_com (3, 3); got {com.shape} and {about_com.shape}.")
        if not (np.isfinite(self.mass) and np.isfinite(com).all() and np.isfinite(about_com).all()):
            raise InputError(
                f"an inertia must be finite; got mass {self.mass}, com {com}, inertia {about_com.tolist()}."
            )
        if self.mass < 0:
            raise InputError(f"a mass must not be negative; got {self.mass} kg.")
        about_com = 0.5 * (about_com + about_com.T)
        for array in (com, about_com):
            array.setflags(write=False)
        object.__setattr__(self, "com", com)
        object.__setattr__(self, "about_com", about_com)

    @staticmethod
    def from_six(mass: float, com: ArrayLike, six: ArrayLike) -> Inertia:
        """From (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass."""
        six = np.asarray(six, float)
        if six.shape != (6,):
            raise InputError(f"an inertia needs six numbers (ixx, iyy, izz, ixy, ixz, iyz); got shape {six.shape}.")
        xx, yy, zz, xy, xz, yz = six
        return Inertia(mass, np.asarray(com, float), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))

    @staticmethod
    def point(mass: float, com: ArrayLike) -> Inertia:
        """A point mass, with the stated tiny inertia."""
        return Inertia(mass, np.asarray(com, float), POINT_INERTIA * np.eye(3))

    @staticmethod
    def nothing() -> Inertia:
        """A massless body."""
        return Inertia(0.0, np.zeros(3), np.zeros((3, 3)))

    @property
    def moment(self) -> Array:
        """First moment m c (3) [kg m]."""
        return self.mass * self.com

    @property
    def about_origin(self) -> Array:
        """Inertia (3, 3) about the frame's origin (parallel-axis theorem)."""
        K = skew(self.com)
        return self.about_com - self.mass * (K @ K)

    def moved(self, X_AB: ArrayLike) -> Inertia:
        """The same body, described in frame A."""
        X = np.asarray(X_AB, float)
        R = X[:3, :3]
        return Inertia(self.mass, R @ self.com + X[:3, 3], R @ self.about_com @ R.T)

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies rigidly joined, both described in one frame."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return Inertia(0.0, np.zeros(3), self.about_com + other.about_com)
        com = (self.moment + other.moment) / mass
        K, L = skew(self.com - com), skew(other.com - com)
        return Inertia(mass, com, self.about_com - self.mass * (K @ K) + other.about_com - other.mass * (L @ L))

    def is_physical(self, tolerance: float = 1e-9) -> bool:
        """Whether some solid body could have this inertia: positive, and no axis above the sum of the other two."""
        d = np.linalg.eigvalsh(self.about_com)
        return bool(d[0] >= -tolerance * d[2] and d[0] + d[1] >= d[2] * (1 - tolerance))
