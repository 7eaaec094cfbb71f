"""The Jacobian kernel: columns off the chain are zero, and it cleans what it is given."""

import numpy as np
from kernel_inputs import BODIES, FRAMES, JOINTS, MODEL, WORLD, WORLDS, q, scratch, spoiled

from carpal.kinematics.kernels.forward import frame_pose
from carpal.kinematics.kernels.jacobian import jacobian_batch
from carpal.kinematics.kernels.placement import COLUMNS
from carpal.model import NV
from carpal.model.tables import KINDS

FRAME = MODEL.frame_index(None)
CHAIN = MODEL.tables.chains[FRAME]


def run(in_frame: int, q: np.ndarray = q) -> tuple[np.ndarray, int]:
    J = np.full((WORLDS, 6, MODEL.nv), 7.0)
    bad = jacobian_batch(JOINTS, BODIES, FRAMES, FRAME, CHAIN, in_frame, q, J, scratch(COLUMNS), 0, WORLDS, 1, 1)
    return J, bad


def test_only_joints_between_world_and_frame_count() -> None:
    J, bad = run(0)
    on_chain = np.zeros(MODEL.nv, bool)
    for row in CHAIN:
        kind, _, _, first = JOINTS[row]
        on_chain[first : first + NV[KINDS[kind]]] = True
    assert bad == 0
    assert 0 < on_chain.sum() < MODEL.nv
    assert np.array_equal(np.abs(J).max(axis=(0, 1)) > 0, on_chain)


def test_the_frame_s_axes_are_a_rotation_of_the_world_s() -> None:
    world, frame = run(0)[0][WORLD], run(1)[0][WORLD]
    R, _ = frame_pose(JOINTS, BODIES, FRAMES, FRAME, CHAIN[-1], q, WORLD)
    R = np.reshape(R, (3, 3))
    assert np.allclose(frame, np.vstack([R.T @ world[:3], R.T @ world[3:]]), rtol=0, atol=1e-14)


def test_bad_worlds_are_named() -> None:
    assert run(0, spoiled(q))[1] == WORLD + 1
