"""The same model in MuJoCo with chosen contact settings: friction, servo as joint springs, cone, no-slip sweeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.model import Model

SETTINGS = {
    "default": {},
    "elliptic, impratio 10": {"cone": "elliptic", "impratio": 10.0},
    "elliptic, impratio 10, noslip 10": {"cone": "elliptic", "impratio": 10.0, "noslip": 10},
}


def mujoco_twin(
    model: Model,
    mu: float,
    target: np.ndarray | None = None,
    *,
    stiffness: float = 0.0,
    damping: float = 0.0,
    torsion: float = 0.0,
    dt: float = 1e-3,
    cone: str = "pyramidal",
    impratio: float = 1.0,
    noslip: int = 0,
) -> tuple[Any, Any]:
    """(MjModel, MjData) at `q_home`; the servo is a passive spring and damper, which implicitfast takes implicitly."""
    import mujoco

    twin = mujoco.MjModel.from_xml_string(model.to_mjcf())
    twin.opt.timestep = dt
    twin.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    twin.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC if cone == "elliptic" else mujoco.mjtCone.mjCONE_PYRAMIDAL
    twin.opt.impratio, twin.opt.noslip_iterations = impratio, noslip
    twin.geom_friction[:, 0] = mu
    if torsion:
        twin.geom_friction[:, 1] = torsion
        twin.geom_condim[:] = 4
    if target is not None:
        for joint in range(twin.njnt):
            if int(twin.jnt_type[joint]) in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)):
                iv = int(twin.jnt_dofadr[joint])
                twin.jnt_stiffness[joint] = stiffness
                twin.qpos_spring[twin.jnt_qposadr[joint]] = target[iv]
                twin.dof_damping[iv] = damping
    data = mujoco.MjData(twin)
    for joint in range(twin.njnt):
        name, width = twin.joint(joint).name, 1
        if name in model.joint_names:
            first = model.q_index(name)
            width = {int(mujoco.mjtJoint.mjJNT_FREE): 7, int(mujoco.mjtJoint.mjJNT_BALL): 4}.get(
                int(twin.jnt_type[joint]), 1
            )
            at = int(twin.jnt_qposadr[joint])
            data.qpos[at : at + width] = model.q_home[first : first + width]
    mujoco.mj_forward(twin, data)
    return twin, data
