"""One pass over known poses against the package's mass matrix, inverse dynamics and gravity, which start from q."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_trials import random_trial

from carpal.dynamics import inverse_dynamics, mass_matrix
from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.contact_table import TREE_SINGLE
from carpal.engines.modal.kernels.tree_dynamics import COLUMNS, tree_dynamics
from carpal.kinematics import fk
from carpal.model import Body, Box, Joint, Model, load
from carpal.spatial import Inertia, pose, rotation_from_wxyz


def _turn(rng):
    wxyz = rng.normal(size=4)
    return np.asarray(rotation_from_wxyz(wxyz / np.linalg.norm(wxyz)))


def _mixed() -> Model:
    """A free base with a ball joint, a slide and a branch on it, then a loose box, then a finger: every kind of joint."""
    rng = np.random.default_rng(1)

    def body(name, parent, kind, **options):
        where = pose(_turn(rng), rng.uniform(-0.3, 0.3, 3)) if kind != "free" else pose()
        spread = np.diag(rng.uniform(2e-3, 3e-3, 3))
        return Body(
            name, parent, Joint(name, kind, X_PJ=where, **options), Inertia(0.5, rng.uniform(-0.1, 0.1, 3), spread)
        )

    bodies = [
        body("base", None, "free"),
        body("ball", "base", "ball"),
        body("slide", "ball", "prismatic", axis=np.array([0.0, 1.0, 0.0])),
        body("branch", "base", "revolute", axis=np.array([1.0, 0.0, 0.0])),
        Body("loose", None, Joint("loose", "free"), Box((0.1, 0.1, 0.1)).inertia(0.2)),
        body("finger", None, "revolute", axis=np.array([0.0, 0.0, 1.0])),
        body("tip", "finger", "revolute", axis=np.array([0.0, 1.0, 0.0])),
    ]
    return Model(name="mixed", bodies=tuple(bodies))


MODELS = {
    "fingers": lambda: scenes.cross_fingers(3)[0],
    "trial": lambda: random_trial(4).model,
    "sawyer": lambda: load("sawyer"),
    "mixed": _mixed,
}


@pytest.mark.parametrize("name", MODELS)
def test_it_is_the_package_s_dynamics(name, figure):
    model = MODELS[name]()
    tables = ModalEngine(model, float_joints=True).tables
    rng = np.random.default_rng(2)
    q = np.asarray(model.q_home).copy()
    for kind, first in model.joint_slices():
        if kind in ("revolute", "prismatic"):
            q[first] = rng.uniform(-0.5, 0.5)
        else:
            at = first + (3 if kind == "free" else 0)
            q[at : at + 4] = rng.normal(size=4)
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    v = rng.normal(size=model.nv)
    rows, n = tables.robot_rows, tables.dofs_of_robots
    placed = _placed(model, tables, q)
    M, bias, weight = np.full((1, n, n), np.nan), np.zeros((1, model.nv)), np.zeros((1, model.nv))
    joints, bodies = model.tables.joints[:rows], model.tables.bodies[:rows]
    work = np.zeros((1, len(model.tables.joints), COLUMNS))
    assert tree_dynamics(joints, bodies, tables.trees, tables.owner, placed, v[None], M, bias, weight, work, 0)
    inside = [dof for dof in range(n) if not tables.trees[tables.order[dof, 2], TREE_SINGLE]]
    pick = np.ix_(inside, inside)
    wanted = np.asarray(mass_matrix(model, q))
    worst = np.abs(M[0][pick] - wanted[pick]).max() / np.abs(wanted[pick]).max()
    for found, at in ((bias[0], v), (weight[0], 0.0 * v)):
        should = np.asarray(inverse_dynamics(model, q, at, 0.0 * v))
        worst = max(worst, np.abs(found - should)[inside].max() / np.abs(should).max())
    figure(f"{name}: mass matrix, bias and gravity from known poses, relative", worst, 1e-13)
    assert len(inside) < model.nv or name == "sawyer"
    outside = [dof for dof in range(model.nv) if dof not in inside]
    assert not bias[0, outside].any(), "single free bodies are left alone"


def test_a_number_that_is_not_finite_is_told():
    model = scenes.cross_fingers(2)[0]
    tables = ModalEngine(model).tables
    n, rows = tables.dofs_of_robots, tables.robot_rows
    v = np.full((1, model.nv), np.inf)
    room = [np.zeros((1, n, n)), np.zeros((1, model.nv)), np.zeros((1, model.nv))]
    work = np.zeros((1, len(model.tables.joints), COLUMNS))
    args = model.tables.joints[:rows], model.tables.bodies[:rows], tables.trees, tables.owner
    assert not tree_dynamics(*args, _placed(model, tables, model.q_home), v, *room, work, 0)


def _placed(model, tables, q):
    """Poses of the moving bodies' joint frames, as the search for contacts leaves them."""
    from carpal.contact.kernels.placing import place_shapes

    placed = np.zeros((1, tables.contact.placed_rows, 18))
    placed[0, 0, :9] = np.eye(3).ravel()
    contact = tables.contact
    assert place_shapes(
        model.tables.joints,
        model.tables.bodies,
        contact.shapes,
        contact.groups,
        np.asarray(q)[None].copy(),
        placed,
        0,
        0,
    )
    assert np.isfinite(fk(model, q, model.bodies[-1].name)).all()
    return placed
