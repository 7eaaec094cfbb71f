"""Contact frames, relative twists, grasp matrix and hand Jacobian rows; Chan 1998, chapter 2, with E5 to E7 corrected.

For a contact C between finger A and object B (normal n_AB from A into B) and generalised velocity v of the hand,

    relative_twist = grasp_rows @ V_WO - hand_jacobian_rows @ v          (6, in C, linear first)

and by power balance a contact wrench F_C on the object acts as grasp_rows.T @ F_C on it and as
-hand_jacobian_rows.T @ F_C on the joints.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array, finite_rotations
from carpal._core.batch import KernelInput, configuration, run_batch
from carpal.contact.kernels.frames import (
    SCRATCH,
    contact_frame_batch,
    contact_jacobian_batch,
    grasp_rows_batch,
    relative_twist_batch,
)
from carpal.errors import InputError
from carpal.model import Model, need_model
from carpal.spatial import Array


def contact_frame(n_AB_W: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """R_WC (*batch, 3, 3) with z along the normal (*batch, 3), which need not have length one.

    The shortest turn from upright axes, smooth in the normal but for the cone where it points down at n_z = -0.8; there
    and below, the frame is the shortest turn from the one that points straight down.
    """
    n = finite_array("n_AB_W", n_AB_W, (3,))
    length = np.linalg.norm(n, axis=-1, keepdims=True)
    if not (length > 1e-150).all():
        raise InputError(f"a contact normal must not be zero; got {n.tolist()!r:.80}.")
    given = [KernelInput("n_AB_W", n / length, (3,))]
    R = run_batch(None, contact_frame_batch, (), given, [(9,)], device=device, threads=threads, world_seconds=2e-8)[0]
    return R.reshape(*R.shape[:-1], 3, 3)


def relative_twist(
    R_WC: ArrayLike,
    p_WC: ArrayLike,
    p_WA: ArrayLike,
    V_WA: ArrayLike,
    p_WB: ArrayLike,
    V_WB: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Twist of B relative to A at a contact, in C.

    Args:
        R_WC: contact frames (*batch, 3, 3).
        p_WC: contact points (*batch, 3) [m].
        p_WA, V_WA: origin (*batch, 3) of body A and its twist there (*batch, 6), linear first, in world axes.
        p_WB, V_WB: the same of body B.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        (*batch, 6), linear first [m/s, rad/s]; the third number is the speed of separation.
    """
    inputs = [
        _flat("R_WC", R_WC), KernelInput("p_WC", p_WC, (3,)), KernelInput("p_WA", p_WA, (3,)), KernelInput("V_WA", V_WA, (6,)),
        KernelInput("p_WB", p_WB, (3,)), KernelInput("V_WB", V_WB, (6,)),
    ]  # fmt: skip
    return run_batch(
        None, relative_twist_batch, (), inputs, [(6,)], device=device, threads=threads, world_seconds=5e-8
    )[0]


def grasp_rows(
    R_WC: ArrayLike, p_WC: ArrayLike, p_WO: ArrayLike, *, device: str = "cpu", threads: int | None = None
) -> Array:
    """Rows of the transposed grasp matrix of each contact: twist in C of the object's point at the contact.

    Args:
        R_WC: contact frames (*batch, 3, 3).
        p_WC: contact points (*batch, 3) [m].
        p_WO: the object's origin (*batch, 3) [m], where its twist is taken.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        G^T (*batch, 6, 6). With n contacts of one object, `grasp_rows(...).reshape(-1, 6).T` is the grasp matrix (6, 6 n).
    """
    inputs = [_flat("R_WC", R_WC), KernelInput("p_WC", p_WC, (3,)), KernelInput("p_WO", p_WO, (3,))]
    return run_batch(None, grasp_rows_batch, (), inputs, [(6, 6)], device=device, threads=threads, world_seconds=1e-7)[
        0
    ]


def hand_jacobian_rows(
    model: Model,
    q: ArrayLike,
    frame: str | None,
    R_WC: ArrayLike,
    p_WC: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Twist in C of the hand's material at a contact point, for each generalised velocity.

    The linear rows are taken at the contact point itself, not at the fingertip's origin (E6).

    Args:
        model: the hand or arm.
        q: configurations (*batch, nq).
        frame: a name from `model.frames` on the body that touches; None is the tool.
        R_WC: contact frames (*batch, 3, 3).
        p_WC: contact points (*batch, 3) [m].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        J_f (*batch, 6, nv), linear rows first.
    """
    need_model(model, "hand_jacobian_rows")
    tables = model.tables
    row = model.frame_index(frame)
    R = finite_rotations("R_WC", R_WC)
    inputs = [
        configuration(model, q),
        KernelInput("R_WC", R.reshape(*R.shape[:-2], 9), (9,)),
        KernelInput("p_WC", p_WC, (3,)),
    ]
    return run_batch(
        model, contact_jacobian_batch, (tables.joints, tables.bodies, tables.chains[row]), inputs, [(6, model.nv)],
        scratch=SCRATCH, device=device, threads=threads, world_seconds=5e-8 * len(tables.joints),
    )[0]  # fmt: skip


def _flat(name: str, rotations: ArrayLike) -> KernelInput:
    R = finite_rotations(name, rotations)
    return KernelInput(name, R.reshape(*R.shape[:-2], 9), (9,))
