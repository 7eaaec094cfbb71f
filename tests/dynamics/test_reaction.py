"""The mount's force from momentum: equal to joint by joint recursion, to MuJoCo and Pinocchio; the printed law is not."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from oracle.converters import Pinocchio

import carpal
from carpal.dynamics import com, mount_force, mount_wrench
from carpal.errors import CarpalError, InputError

ARM = carpal.load("sawyer")


def states(count: int, seed: int = 0, speed: float = 1.0, push: float = 3.0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    q = rng.uniform(ARM.q_min, ARM.q_max, (count, 7))
    return q, rng.uniform(-speed, speed, (count, 7)), rng.uniform(-push, push, (count, 7))


def test_momentum_and_recursion_agree(figure) -> None:
    q, v, vdot = states(1000)
    difference = np.abs(mount_force(ARM, q, v, vdot) - mount_wrench(ARM, q, v, vdot)[:, :3]).max()
    figure("mount: force from momentum against joint by joint recursion [N]", difference, 1e-9)


def test_it_is_the_second_derivative_of_the_centre_of_mass(figure) -> None:
    """Independent: central differences of `com` along parabolas, with the gravity taken off by hand."""
    q, v, vdot = states(50)
    h = 1e-4
    there, here, back = (com(ARM, q + s * v + 0.5 * s * s * vdot) for s in (h, 0.0, -h))
    second = (there - 2 * here + back) / h**2
    weight = np.array([0.0, 0.0, ARM.mass * 9.81])
    error = np.abs(mount_force(ARM, q, v, vdot) - ARM.mass * second - weight).max()
    figure("mount: force against differences of the centre of mass [N]", error, 1e-4)


def test_mujoco_and_pinocchio_feel_the_same_base_force(figure) -> None:
    q, v, vdot = states(200, seed=1, speed=2.0, push=10.0)
    ours = mount_wrench(ARM, q, v, vdot)
    compiled = mujoco.MjModel.from_xml_string(ARM.mounted(np.eye(4)).to_mjcf())
    data, worst = mujoco.MjData(compiled), 0.0
    top = mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_BODY, "base")
    for i in range(len(q)):
        data.qpos[:], data.qvel[:], data.qacc[:] = q[i], v[i], vdot[i]
        mujoco.mj_inverse(compiled, data)
        mujoco.mj_rnePostConstraint(compiled, data)
        about, force = data.cfrc_int[top][:3], data.cfrc_int[top][3:]
        center = data.subtree_com[compiled.body_rootid[top]]
        torque = about + np.cross(center, force)  # cfrc_int is about the tree's centre of mass
        worst = max(worst, np.abs(np.r_[force, torque] - ours[i]).max())
    figure("mount: base wrench against MuJoCo [N, N m]", worst, 1e-9)


def test_pinocchio_feels_the_same_base_force(figure) -> None:
    q, v, vdot = states(200, seed=2, speed=2.0, push=10.0)
    oracle, worst = Pinocchio(ARM), 0.0
    fixed = np.r_[-oracle.fixed_mass * ARM.gravity, -np.cross(oracle.fixed_moment, ARM.gravity)]
    for i in range(len(q)):
        pin.rnea(oracle.model, oracle.data, oracle.q(q[i]), v[i], vdot[i])
        moving = oracle.data.liMi[1].act(oracle.data.f[1]).vector
        worst = max(worst, np.abs(fixed + moving - mount_wrench(ARM, q[i], v[i], vdot[i])).max())
    figure("mount: base wrench against Pinocchio [N, N m]", worst, 1e-9)


def test_the_printed_law_is_wrong_by_as_much_as_the_sheet_says(figure) -> None:
    v = np.zeros(7)
    v[1] = -1.0
    exact, printed = (mount_force(ARM, ARM.q_home, v, np.zeros(7), law=law) for law in ("exact", "printed"))
    assert np.allclose(exact - [0, 0, ARM.mass * 9.81], (-3.995, 0.0, -0.019), atol=6e-4)
    assert np.allclose(printed, (-3.965, 0.009, -0.005), atol=6e-4)
    q, v, vdot = states(20_000, seed=3)
    exact, printed = (mount_force(ARM, q, v, vdot, law=law)[:, :2] for law in ("exact", "printed"))
    share = np.linalg.norm(printed - exact, axis=1) / np.linalg.norm(exact, axis=1)
    for what, value, low, high in (
        ("median", np.median(share), 0.0005, 0.005), ("95 %", np.quantile(share, 0.95), 0.005, 0.05),
    ):  # fmt: skip
        figure(f"mount: error of the printed law over random states, {what}", value, high, note=f"at least {low}")
        assert value > low


def test_wrong_masses_and_bad_input() -> None:
    q, v, vdot = (part[0] for part in states(1))
    rows = len(ARM.tables.joints)
    assert np.allclose(mount_force(ARM, q, v, vdot, weights=np.full(rows, 1.1)), 1.1 * mount_force(ARM, q, v, vdot))
    with pytest.raises(CarpalError, match="exact, printed"):
        mount_force(ARM, q, v, vdot, law="guess")
    with pytest.raises(InputError, match="weights"):
        mount_force(ARM, q, v, vdot, weights=np.ones(3))
    with pytest.raises(InputError, match="finite"):
        mount_force(ARM, q, v * np.nan, vdot)
