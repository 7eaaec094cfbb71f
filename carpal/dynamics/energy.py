"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics.centroidal import centroidal_numbers
from carpal.dynamics.kernels.centroidal import KINETIC, POTENTIAL
from carpal.model import Model, need_model
from carpal.spatial import Array


def kinetic_energy(
    model: Model, q: ArrayLike, v: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """1/2 v^T M v (*batch) [J], rotor inertias included."""
    need_model(model, "kinetic_energy")
    return centroidal_numbers(model, q, v, np.zeros(model.nv), device=device, threads=threads)[..., KINETIC]


def potential_energy(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """-m g . c (*batch) [J] of the whole model; zero when the centre of mass is at the world's origin."""
    need_model(model, "potential_energy")
    still = np.zeros(model.nv)
    return centroidal_numbers(model, q, still, still, device=device, threads=threads)[..., POTENTIAL]
