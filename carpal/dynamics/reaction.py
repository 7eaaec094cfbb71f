"""The reaction of a moving arm on its mount, predicted from its momentum."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.dynamics.kernels.reaction import EXACT, PRINTED, REACTION_COLUMNS, reaction_batch
from carpal.errors import unknown_name
from carpal.model import Model, need_model
from carpal.spatial import Array

LAWS = {"exact": EXACT, "printed": PRINTED}


def mount_force(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    *,
    law: str = "exact",
    weights: ArrayLike | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Force (*batch, 3) [N] that the mount must supply, from the rate of the arm's momentum.

    The exact law equals the force of `mount_wrench`, which comes from joint by joint recursion: another formula.

    Args:
        model: the arm, base fixed; it must have inertias.
        q, v, vdot: (*batch, nq), (*batch, nv), (*batch, nv).
        law: "exact", or "printed", the law of Alkire (2020, 4.19 to 4.24) with its double counting, for comparison.
        weights: (*batch, rows of the model's body table), factors on the masses: a model that is wrong on purpose.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "mount_force")
    model.require_inertia()
    if law not in LAWS:
        raise unknown_name("law of the mount's force", law, LAWS)
    tables = model.tables
    rows = len(tables.joints)
    factors = np.ones(rows) if weights is None else weights
    inputs = [KernelInput("weights", factors, (rows,)), configuration(model, q)]
    inputs += [velocity(model, v), velocity(model, vdot, "vdot")]
    return run_batch(
        model, reaction_batch, (tables.joints, tables.bodies, LAWS[law]), inputs, [(3,)],
        scratch=REACTION_COLUMNS, device=device, threads=threads, world_seconds=8e-8 * rows,
    )[0]  # fmt: skip
