"""Factors by trees against NumPy's inverse of the whole mass matrix."""

import modal_scenes as scenes
import numpy as np

from carpal.dynamics import mass_matrix
from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.contact_table import DOF_DAMPING, DOF_FRICTION, DOF_SMOOTH, DOF_STIFFNESS
from carpal.engines.modal.kernels.tree_blocks import damping_of, factor_trees, solve_trees
from carpal.kinematics import fk


def test_solving_by_trees_is_solving_with_the_whole_matrix():
    model, target = scenes.cross_fingers(3)
    engine = ModalEngine(model, target=target, stiffness=3.0, damping=0.05)
    tables, dt = engine.tables, 1e-3
    M = mass_matrix(model, model.q_home)
    placed = np.zeros((1, tables.contact.placed_rows, 18))
    placed[0, len(model.tables.joints) - 1, :9] = fk(model, model.q_home, "cube")[:3, :3].ravel()
    L = np.zeros((1, model.nv, tables.widest))
    v = np.zeros((1, model.nv))
    q = np.array(model.q_home)[None]
    args = model.tables.bodies, tables.trees, tables.order, tables.dofs, tables.tendons, q, v
    assert factor_trees(*args, dt, M[None].copy(), placed, L, 0)
    whole = M + np.diag(dt * tables.dofs[:, DOF_DAMPING] + dt * dt * tables.dofs[:, DOF_STIFFNESS])
    b = np.random.default_rng(0).normal(size=model.nv)
    x = b[None].copy()
    solve_trees(tables.trees, tables.order, L, x, 0)
    assert np.abs(whole @ x[0] - b).max() < 1e-12 * np.abs(b).max()
    assert not factor_trees(*args, dt, 0.0 * M[None] - 1.0, placed, L, 0)


def test_coulomb_friction_of_a_joint_is_the_damping_that_gives_its_force():
    dofs = np.zeros((1, 12))
    dofs[0, [DOF_DAMPING, DOF_FRICTION, DOF_SMOOTH]] = 0.1, 2.0, 1e-2
    assert damping_of(dofs, 0, 4.0) * 4.0 == 0.4 + 2.0
    assert damping_of(dofs, 0, 0.0) == 0.1 + 200.0
