"""Forces of actuators against MuJoCo's qfrc_actuator on random models, and by hand."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from extended_models import extended_model
from random_models import random_tree

from carpal.dynamics import actuator_forces
from carpal.errors import InputError
from carpal.model import NV, Actuator, ModelTendon


def driven(seed: int):
    """A random tree with random actuators on its hinges and slides and on two fixed tendons."""
    rng = np.random.default_rng(seed)
    model = random_tree(seed, joints=8)
    scalar = [body.joint.name for body in model.bodies if NV[body.joint.kind] == 1]
    if not scalar:
        return None, rng
    tendons = tuple(
        ModelTendon(
            f"t{i}", {joint: rng.normal() for joint in rng.choice(scalar, size=min(2, len(scalar)), replace=False)}
        )
        for i in range(2)
    )
    actuators = []
    for i in range(8):
        target = {"joint": str(rng.choice(scalar))} if i % 3 else {"tendon": f"t{i % 2}"}
        gain, bias = (1.0, (0.0, 0.0, 0.0)) if i % 2 else (rng.normal(), tuple(rng.normal(size=3)))
        low, high = -rng.uniform(0.1, 1, 2), rng.uniform(0.1, 1, 2)
        ranges = {"ctrl_range": (low[0], high[0])} if i % 4 else {}
        ranges |= {"force_range": (low[1], high[1])} if i % 5 else {}
        kind = "motor" if i % 2 else "general"
        actuators.append(Actuator(f"a{i}", kind, **target, gear=rng.normal(), gain=gain, bias=bias, **ranges))
    return model.replace(tendons=tendons, actuators=tuple(actuators)), rng


@pytest.mark.parametrize("seed", range(12))
def test_the_same_forces_as_mujoco(seed):
    model, rng = driven(seed)
    if model is None:
        pytest.skip("this random tree has no hinge or slide")
    there = mujoco.MjModel.from_xml_string(model.to_mjcf())
    data = mujoco.MjData(there)
    q, v, ctrl = np.array(model.q_home), rng.normal(size=model.nv), rng.normal(size=8)
    rows = []
    for name in model.joint_names:
        j = there.joint(name).id
        if there.jnt_type[j] >= int(mujoco.mjtJoint.mjJNT_SLIDE):
            q[model.q_index(name)] = rng.normal()
            data.qpos[there.jnt_qposadr[j]] = q[model.q_index(name)]
            data.qvel[there.jnt_dofadr[j]] = v[model.v_index(name)]
            rows.append((model.v_index(name), there.jnt_dofadr[j]))
    data.ctrl[:] = ctrl
    mujoco.mj_forward(there, data)
    ours, theirs = np.array(rows).T
    forces = actuator_forces(model, q, v, ctrl)
    assert np.abs(data.qfrc_actuator).max() > 1e-3
    assert np.allclose(forces[ours], data.qfrc_actuator[theirs], rtol=0, atol=1e-13)


def test_batches_are_single_calls():
    model = extended_model()
    rng = np.random.default_rng(0)
    q, v, ctrl = rng.normal(size=(4, 3, 3)), rng.normal(size=(4, 3, 3)), rng.normal(size=(3, 2))
    many = actuator_forces(model, q, v, ctrl)
    assert many.shape == (4, 3, 3)
    for i, j in np.ndindex(4, 3):
        assert np.allclose(many[i, j], actuator_forces(model, q[i, j], v[i, j], ctrl[j]), rtol=0, atol=1e-15)


def test_by_hand():
    model = (
        extended_model()
    )  # a servo with kp 50, kv 1, at most 5 N m on hinge_a; a winch with gear 3 on 0.01 a - 0.02 b
    servo = 50 * 0.1 - 50 * 0.05 - 1.0 * 0.2
    tau = actuator_forces(model, [0.05, 0.3, 0.0], [0.2, 0.0, 0.0], [0.1, 7.0])
    assert np.allclose(tau, [servo + 3 * 7 * 0.01, -3 * 7 * 0.02, 0.0], rtol=0, atol=1e-15)
    assert actuator_forces(model, [-1.0, 0, 0], [0.0, 0, 0], [1.0, 0.0]).tolist() == [5.0, 0.0, 0.0]
    assert actuator_forces(model.replace(actuators=()), [0.0] * 3, [0.0] * 3, []).tolist() == [0.0, 0.0, 0.0]


def test_wrong_input_is_one_sentence():
    model = extended_model()
    with pytest.raises(InputError, match=r"ctrl of model 'extended' needs 2 finite numbers \(servo, winch\)"):
        actuator_forces(model, [0.0] * 3, [0.0] * 3, [0.0])
    with pytest.raises(InputError, match="do not fit together"):
        actuator_forces(model, np.zeros((2, 3)), np.zeros((3, 3)), [0.0, 0.0])
    cable = model.replace(actuators=(Actuator("pull", tendon="cable"),))
    with pytest.raises(InputError, match="spatial tendon 'cable'"):
        actuator_forces(cable, [0.0] * 3, [0.0] * 3, [0.0])
