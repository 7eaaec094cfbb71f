"""Rows of couplings and loops against finite differences of their gaps."""

from __future__ import annotations

import numpy as np
from random_models import random_state, random_tree

from carpal.dynamics import constraint_names, constraint_tables
from carpal.dynamics.kernels.constraint_rows import MOTION_COLUMNS, constraint_rows
from carpal.kinematics import fk, integrate
from carpal.model import Coupling, Loop, Model
from carpal.spatial import pose


def tied_tree() -> Model:
    """A tree with every kind of joint, a coupling, a connect and a weld to the world."""
    model = random_tree(0, joints=14)
    single = [body.joint.name for body in model.bodies if body.joint.kind in ("revolute", "prismatic")]
    X = pose(p=np.array([0.1, -0.2, 0.3]))
    return model.replace(
        couplings=(Coupling("gear", single[0], single[1], (0.1, -2.0, 0.5, 0.3, -0.2), 0.2, 0.3),),
        loops=(Loop("pin", "connect", "body_9", "body_4", X, np.eye(4)), Loop("glue", "weld", "body_12", None, X, X)),
    )


def rows_at(model: Model, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    count, slots = len(constraint_names(model)), 2
    J, gap, bias, size = (
        np.full((slots, *shape), np.nan) for shape in ((count, model.nv), (count,), (count,), (count,))
    )
    motion = np.full((slots, len(model.tables.joints), MOTION_COLUMNS), np.nan)
    still, weight = np.zeros((slots, model.nv)), np.ones((slots, model.nv))
    tables = model.tables
    constraint_rows(
        tables.joints, tables.bodies, constraint_tables(model), q[None], v[None], still, weight, motion, J, gap, bias, size, 0, 1
    )  # fmt: skip
    assert np.isnan(J[0]).all()
    return J[1], gap[1], bias[1], size[1]


def test_gaps_are_those_of_forward_kinematics() -> None:
    model = tied_tree()
    q, v, _ = random_state(model, np.random.default_rng(3))
    gap = rows_at(model, q, v)[1]
    X_A, X_B = (fk(model, q, frame=body) for body in ("body_9", "body_4"))
    assert np.allclose(gap[1:4], (X_A @ model.loops[0].X_AL)[:3, 3] - X_B[:3, 3], rtol=0, atol=1e-12)
    X_G = fk(model, q, frame="body_12") @ model.loops[1].X_AL
    assert np.allclose(gap[4:7], X_G[:3, 3] - model.loops[1].X_BL[:3, 3], rtol=0, atol=1e-12)


def test_the_jacobian_and_its_rate_are_derivatives_of_the_gap() -> None:
    """Rows of points and couplings anywhere; rows of rotations where the gap is closed."""
    model = tied_tree()
    rng = np.random.default_rng(4)
    q, v, _ = random_state(model, rng)
    closed = fk(model, q, frame="body_12") @ model.loops[1].X_AL
    model = model.replace(loops=(model.loops[0], Loop("glue", "weld", "body_12", None, model.loops[1].X_AL, closed)))
    J, gap, bias, size = rows_at(model, q, v)
    assert np.abs(gap[7:]).max() < 1e-12
    h = 1e-5
    ahead, back = (rows_at(model, integrate(model, q, s * v, h), v) for s in (1.0, -1.0))
    assert np.allclose((ahead[1] - back[1]) / (2 * h), J @ v, rtol=0, atol=1e-7)
    assert np.allclose(((ahead[0] - back[0]) @ v / (2 * h))[:7], bias[:7], rtol=0, atol=1e-6)
    spin = ((ahead[0] - back[0]) @ v / (2 * h))[7:]
    assert np.allclose(spin, bias[7:], rtol=0, atol=1e-6)
    assert (size > 0).all()
