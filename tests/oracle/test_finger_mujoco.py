"""The spring finger beside MuJoCo, which is given the same bodies, springs and dampers in its own words."""

import mujoco
import numpy as np
import pytest
from finger_inputs import random_finger, random_load

from carpal.labs.finger import finger_acceleration, rest_pose, simulate_finger


def mujoco_finger(finger, timestep=1e-5):
    """Three hinges about -z with stiffness, springref and damping; a site at the tip."""
    open_, close = "", ""
    at = 0.0
    for i in range(3):
        a, m, J = finger.com[i], finger.mass[i], finger.inertia[i]
        open_ += f'<body name="p{i}" pos="0 {at:.17g} 0"><joint name="j{i}" type="hinge" axis="0 0 -1" '
        open_ += f'stiffness="{finger.stiffness[i]:.17g}" springref="{finger.neutral[i]:.17g}" '
        open_ += f'damping="{finger.damping[i]:.17g}"/>'
        open_ += f'<inertial pos="0 {a:.17g} 0" mass="{m:.17g}" diaginertia="{J:.17g} {J:.17g} {J:.17g}"/>'
        close, at = "</body>" + close, finger.length[i]
    g = " ".join(f"{x:.17g}" for x in finger.gravity)
    site = f'<site name="tip" pos="0 {at:.17g} 0"/>'
    text = f"""<mujoco><compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0"/>
      <option gravity="{g}" timestep="{timestep}" integrator="RK4"><flag contact="disable"/></option>
      <worldbody>{open_}{site}{close}</worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(text)


def load_it(model, data, finger, load):
    """Torques and the tip's force and moment as generalised forces by MuJoCo's own Jacobian."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    jacp, jacr = np.zeros((3, 3)), np.zeros((3, 3))
    mujoco.mj_jacSite(model, data, jacp, jacr, 0)
    R = data.site_xmat[0].reshape(3, 3)
    force = np.array([*load.tip_force, 0.0]) + R[:, 0] * float(load.tip_across)
    data.qfrc_applied[:] = load.torque + finger.tendon_arm * load.tension
    data.qfrc_applied[:] += jacp.T @ force + jacr.T @ np.array([0.0, 0.0, -float(load.tip_moment)])


def worst_acceleration(count):
    rng, worst = np.random.default_rng(41), 0.0
    for _ in range(count):
        finger, load = random_finger(rng), random_load(rng)
        model = mujoco_finger(finger)
        data = mujoco.MjData(model)
        for _ in range(5):
            data.qpos[:], data.qvel[:] = rng.uniform(-np.pi, np.pi, 3), rng.normal(0, 10, 3)
            load_it(model, data, finger, load)
            mujoco.mj_forward(model, data)
            ours = finger_acceleration(finger, data.qpos.copy(), data.qvel.copy(), load)
            worst = max(worst, np.abs(ours - data.qacc).max() / np.abs(ours).max())
    return worst


def test_accelerations(figure):
    figure("finger: accelerations beside MuJoCo, 100 random states, relative", worst_acceleration(20), 1e-9)


@pytest.mark.full
def test_accelerations_in_full(figure):
    figure("finger: accelerations beside MuJoCo, 5,000 random states, relative", worst_acceleration(1000), 1e-9)


def test_motions(figure):
    rng, worst = np.random.default_rng(42), 0.0
    for damped in (False, True):
        finger = random_finger(rng, damped=damped)
        model = mujoco_finger(finger, 1e-5)
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = (0.3, 0.2, -0.4), (3, -4, 5)
        mujoco.mj_step(model, data, 20_000)
        motion = simulate_finger(finger, (0.3, 0.2, -0.4), (3, -4, 5), time=[0.0, 0.2], step=2e-4)
        worst = max(worst, np.abs(motion.q[-1] - data.qpos).max())
    figure("finger: angles after 0.2 s beside MuJoCo's RK4 at 1e-5 s [rad]", worst, 1e-7)


def test_rest():
    rng = np.random.default_rng(43)
    finger, load = random_finger(rng), random_load(rng)
    rest = rest_pose(finger, load)
    model = mujoco_finger(finger)
    data = mujoco.MjData(model)
    data.qpos[:] = rest.q
    load_it(model, data, finger, load)
    mujoco.mj_forward(model, data)
    assert np.abs(data.qfrc_applied + data.qfrc_passive - data.qfrc_bias).max() < 1e-13
