"""The exact curve beside MuJoCo, which closes the same loops by equality constraints and settles by simulation."""

import mujoco
import numpy as np
import pytest
from linkage_inputs import NAMES, linkage, loop_driven

from carpal.spatial import pose, rotation_from_rpy

X_WL = pose(rotation_from_rpy((1.1, -0.4, 0.7)), (0.2, -0.1, 0.3))


def settled(made, drives):
    """MuJoCo's body poses (n, bars, 4, 4) at rest, the drive held by one more equality constraint, without gravity."""
    text = made.mjcf(X_WL)
    kind, joint = made.drive.kind, made.drive.joint
    hold = '<tendon name="hold" tendon1="drive" polycoef="0 0 0 0 0"/>' if kind == "push" else (
        f'<joint name="hold" joint1="{joint}" polycoef="0 0 0 0 0"/>'
    )  # fmt: skip
    text = text.replace("  </equality>", f"    {hold}\n  </equality>")
    spec = mujoco.MjSpec.from_string(text)
    spec.option.gravity = np.zeros(3)
    spec.option.timestep = 1e-3
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.iterations, spec.option.tolerance = 200, 1e-14
    for equality in spec.equalities:
        equality.solref = (0.004, 1.0)
        equality.solimp = (0.9999, 0.9999, 0.001, 0.5, 2.0)
    for tendon in spec.tendons:
        tendon.stiffness = [0.0] * 3  # springs do not change the curve, but would load the constraints
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_EQUALITY, "hold")
    rest = 0.0
    if kind == "push":  # a tendon's constraint counts from its length at qpos 0
        rest = float(model.tendon_length0[model.tendon("drive").id])
    model.dof_damping[:] = 1e-5
    out = np.empty((len(drives), len(made.moving), 4, 4))
    for row, target in enumerate(drives):
        model.eq_data[number, 0] = target - rest
        for _ in range(800):
            mujoco.mj_step(model, data)
        data.qvel[:] = 0.0
        mujoco.mj_forward(model, data)
        for i, bar in enumerate(made.moving):
            body = data.body(bar)
            out[row, i] = pose(body.xmat.reshape(3, 3), body.xpos)
    return out


@pytest.mark.parametrize("name", [*NAMES, "loop_driven"])
def test_the_curve_equals_mujocos_motion(name, figure):
    made = loop_driven() if name == "loop_driven" else linkage(name)
    curve = made.curve()
    drives = np.linspace(made.drive.start, made.drive.stop, 12)
    theirs = settled(made, drives)
    ours = curve.poses(drives)[:, 1:]
    flat = np.zeros_like(theirs)
    c, s = np.cos(ours[..., 2]), np.sin(ours[..., 2])
    flat[..., 0, 0], flat[..., 0, 1], flat[..., 1, 0], flat[..., 1, 1] = c, -s, s, c
    flat[..., 2, 2] = flat[..., 3, 3] = 1.0
    flat[..., :2, 3] = ours[..., :2]
    off = X_WL @ flat - theirs
    figure(f"{name}: bar positions, curve against MuJoCo [m]", np.abs(off[..., :3, 3]).max(), 1e-12)
    figure(f"{name}: bar attitudes, curve against MuJoCo [1]", np.abs(off[..., :3, :3]).max(), 1e-11)
