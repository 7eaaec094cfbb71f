"""The packed tables: fixed joints folded away, every axis turned to z, masses lumped."""

import numpy as np
from random_models import random_inertia, random_pose, random_q, random_tree, relative_error

from carpal.dynamics import com, inverse_dynamics, mass_matrix
from carpal.kinematics import fk
from carpal.model import Body, Joint, Model
from carpal.model.tables import KINDS

RNG = np.random.default_rng(0)


def test_rows_of_a_small_robot() -> None:
    X = [random_pose(RNG) for _ in range(3)]
    inertia = [random_inertia(RNG) for _ in range(3)]
    bodies = (
        Body("base", None, Joint("mount", X_PJ=X[0]), inertia[0]),
        Body("arm", "base", Joint("turn", "revolute", X_PJ=X[1], armature=0.3), inertia[1]),
        Body("hand", "arm", Joint("weld", X_PJ=X[2]), inertia[2]),
    )
    model = Model(name="small", bodies=bodies, gravity=[1, 2, 3])
    tables = model.tables
    assert tables.joints.tolist() == [[0, 0, 0, 0], [KINDS.index("revolute"), 0, 0, 0]]
    assert np.allclose(tables.bodies[1, :9].reshape(3, 3), (X[0] @ X[1])[:3, :3])
    assert np.allclose(tables.bodies[1, 9:12], (X[0] @ X[1])[:3, 3])
    both = inertia[1] + inertia[2].moved(X[2])
    assert np.isclose(tables.bodies[1, 12], both.mass)
    assert np.allclose(tables.bodies[1, 13:16], both.moment)
    assert np.allclose(tables.bodies[1, 16:19], np.diag(both.about_origin))
    assert tables.bodies[1, 22] == 0.3
    assert np.array_equal(tables.bodies[0, 23:26], [1, 2, 3])
    assert np.isclose(tables.bodies[0, 12], inertia[0].mass)  # what is fixed to the world is the world's
    assert tables.frame_body == (0, 1, 1)
    assert [chain.tolist() for chain in tables.chains] == [[], [1], [1]]
    assert tables.body_rows["hand"][0] == 1


def test_tables_are_what_kernels_want() -> None:
    tables = random_tree(8).tables
    for array, kind in ((tables.joints, np.int64), (tables.bodies, np.float64), (tables.frames, np.float64)):
        assert array.dtype == kind
        assert array.flags.c_contiguous
        assert array.flags.writeable
    assert all(chain.dtype == np.int64 for chain in tables.chains)
    assert (tables.joints[1:, 1] < np.arange(1, len(tables.joints))).all()  # parents before children


def test_splitting_a_body_by_a_fixed_joint_changes_nothing() -> None:
    """Dynamics of a tree are the same when each body's mass hangs on a welded child instead."""
    model = random_tree(21, joints=8)
    split: list[Body] = []
    for body in model.bodies:
        X = random_pose(RNG)
        split.append(Body(body.name, body.parent, body.joint, type(body.inertia).nothing()))
        welded = Joint(f"weld_{body.name}", X_PJ=X)
        split.append(Body(f"mass_{body.name}", body.name, welded, body.inertia.moved(np.linalg.inv(X))))
    other = model.replace(bodies=tuple(split), tool=model.tool)
    q = random_q(model, RNG)
    v, vdot = RNG.normal(size=(2, model.nv))
    assert relative_error(mass_matrix(other, q), mass_matrix(model, q)) < 1e-12
    assert relative_error(com(other, q), com(model, q)) < 1e-13
    assert relative_error(inverse_dynamics(other, q, v, vdot), inverse_dynamics(model, q, v, vdot)) < 1e-12
    assert relative_error(fk(other, q), fk(model, q)) < 1e-14
