"""Friction cones of a grasp, exact: as second-order cones, as support functions, and how far forces are from slipping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact.grasp.cone_program import Cone
from carpal.contact.grasp.grasp_contacts import Grasp, checked_forces
from carpal.spatial import Array


class SlipMargins(NamedTuple):
    """How far each contact is from slipping.

    Args:
        force: (n) [N]: tangential force that is left, mu f_n - |f_t|; negative where the contact would slip.
        share: (n): what part of the friction is left, 1 at pure pressing, 0 at the limit; of a tip that turns the lesser of
            both limits. NaN without friction or without pressing.
    """

    force: Array
    share: Array


def cones_of(grasp: Grasp, extra: int = 0) -> list[Cone]:
    """The contacts' cones over x = (forces, extra unknowns); each slack is in units of normal force."""
    cones, wide = [], grasp.width + extra
    mu, torsion = np.asarray(grasp.mu), np.asarray(grasp.torsion)
    for k, where in enumerate(grasp.slices()):
        place = {component: where.start + i for i, component in enumerate(grasp.components[k])}
        a = np.zeros(wide)
        a[place[2]] = 1.0
        rows = []
        for component in (0, 1, 5):
            if component in place:
                row = np.zeros(wide)
                row[place[component]] = 1.0 / (torsion[k] if component == 5 else mu[k])
                rows.append((component, row))
        groups = [[row for _, row in rows]] if grasp.tip[k] == "elliptic" else [
            [row for component, row in rows if component != 5],
            [row for component, row in rows if component == 5],
        ]  # fmt: skip
        groups = [group for group in groups if group] or [[np.zeros(wide)]]
        cones += [Cone(a, 0.0, np.array(group), np.zeros(len(group))) for group in groups]
    return cones


def inside_cones(grasp: Grasp, forces: ArrayLike, tolerance: float = 1e-9) -> bool:
    """Whether contact forces (width) press and hold; `tolerance` in units of the largest force."""
    f = checked_forces(grasp, forces)
    return all(cone.slack(f) >= -tolerance * max(float(np.abs(f).max()), 1e-300) for cone in cones_of(grasp))


def slip_margins(grasp: Grasp, forces: ArrayLike) -> SlipMargins:
    """Margins of contact forces (width) [N, N m], as an engine or `distribute_load` gives them."""
    f = checked_forces(grasp, forces)
    mu, torsion = np.asarray(grasp.mu), np.asarray(grasp.torsion)
    force, share = np.zeros(len(grasp)), np.full(len(grasp), np.nan)
    for k, where in enumerate(grasp.slices()):
        part = dict(zip(grasp.components[k], f[where], strict=True))
        tangent, normal = float(np.hypot(part.get(0, 0.0), part.get(1, 0.0))), float(part[2])
        force[k] = mu[k] * normal - tangent
        if normal <= 0 or len(part) == 1:
            continue
        used = [tangent / (mu[k] * normal) if 0 in part else 0.0]
        used.append(abs(part.get(5, 0.0)) / (torsion[k] * normal) if 5 in part else 0.0)
        share[k] = 1.0 - (float(np.hypot(used[0], used[1])) if grasp.tip[k] == "elliptic" else max(used))
    return SlipMargins(force, share)


def support_of(grasp: Grasp, G: Array, direction: Array) -> tuple[Array, Array]:
    """How far each contact reaches along a direction (6) of wrenches with a normal force of one (n), and how (n, 6)."""
    mu, torsion = np.asarray(grasp.mu), np.asarray(grasp.torsion)
    reach, wrenches = np.empty(len(grasp)), np.empty((len(grasp), 6))
    for k, where in enumerate(grasp.slices()):
        part = G[:, where].T @ direction
        force = np.zeros(len(part))
        kept = grasp.components[k]
        force[kept.index(2)] = 1.0
        weights = np.array([0.0 if c == 2 else torsion[k] if c == 5 else mu[k] for c in kept])
        pulled = weights * part
        groups = [[i for i, c in enumerate(kept) if c in (0, 1)], [i for i, c in enumerate(kept) if c == 5]]
        if grasp.tip[k] == "elliptic":
            groups = [[i for i, c in enumerate(kept) if c != 2]]
        for group in groups:
            size = float(np.linalg.norm(pulled[group]))
            if size > 0:
                force[group] = weights[group] * pulled[group] / size
        wrenches[k] = G[:, where] @ force
        reach[k] = float(part @ force)
    return reach, wrenches
