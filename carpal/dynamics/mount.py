"""What the mount must supply while the robot moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch, velocity
from carpal.dynamics.kernels.mount import mount_batch
from carpal.dynamics.kernels.rnea import COLUMNS
from carpal.errors import ModelError
from carpal.model import Model, need_model
from carpal.spatial import Array


def mount_wrench(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Wrench (*batch, 6) that the mount must supply to the robot, force first [N, N m].

    It is taken at the origin of the first body that stands in the world (the base; where its joint moves, at the
    joint's frame), in world axes, and carries the weight of everything, the base included: at rest the force is minus
    the weight. Bodies on free joints are not held by the mount and do not count.

    Args:
        model: the robot; it must have inertias.
        q: configurations (*batch, nq).
        v: velocities (*batch, nv).
        vdot: accelerations (*batch, nv).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "mount_wrench")
    model.require_inertia()
    roots = [body for body in model.bodies if body.parent is None]
    held = [body for body in roots if body.joint.kind != "free"]
    if not held:
        raise ModelError(f"model '{model.name}' floats on a free joint: it has no mount; a fixed base would have one.")
    tables = model.tables
    inputs = [configuration(model, q), velocity(model, v), velocity(model, vdot, "vdot")]
    _, wrench = run_batch(
        model, mount_batch, (tables.joints, tables.bodies), inputs, [(model.nv,), (6,)],
        scratch=COLUMNS, device=device, threads=threads, world_seconds=6e-8 * len(tables.joints),
    )  # fmt: skip
    joint = held[0].joint
    X_WM = joint.X_PJ @ joint.X_JB if joint.kind == "fixed" else joint.X_PJ
    wrench[..., 3:] -= np.cross(X_WM[:3, 3], wrench[..., :3])
    return wrench
