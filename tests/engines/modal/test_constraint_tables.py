"""Packing of couplings, loops, tendons and compensated weight: names, trees that they join, bodies folded into others."""

import closed_linkages as linkages
import numpy as np
from extended_models import extended_model

from carpal.engines import ModalEngine
from carpal.engines.modal.constraint_tables import connections, fixed_tendons, lifted_table
from carpal.engines.modal.kernels.contact_table import TREE_COUNT, TREE_HOLDS, TREE_SINGLE
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose


def test_bodies_that_loops_and_couplings_connect_are_one_tree():
    tables = ModalEngine(linkages.tied_model()).tables
    assert len(tables.trees) == 1
    assert tables.trees[0, [TREE_COUNT, TREE_SINGLE, TREE_HOLDS]].tolist() == [10, 0, 10]
    assert tables.held_names == ("coupling 'gear'", *["loop 'pin'"] * 3, *["loop 'glue'"] * 6)
    free = linkages.tied_model().replace(couplings=(), loops=())
    tables = ModalEngine(free).tables
    assert tables.trees[:, TREE_COUNT].tolist() == [2, 2, 6]
    assert not tables.trees[:, TREE_HOLDS].any()
    assert tables.trees[2, TREE_SINGLE] == 5
    assert len(tables.constraints) == 0


def test_tendons_without_effect_and_spatial_ones_are_not_packed():
    model = extended_model()
    assert [tendon.name for tendon in fixed_tendons(model)] == ["pull"]
    assert (1, 2) in connections(model)


def test_the_weight_of_folded_bodies_is_lifted_where_they_are():
    arm = Body("arm", None, Joint("hinge", "revolute"), Inertia(2.0, np.zeros(3), np.eye(3)))
    tool = Body(
        "tool", "arm", Joint("bolt", X_PJ=pose(p=np.array([0.4, 0.0, 0.0]))), Inertia(3.0, np.zeros(3), np.eye(3)), 0.5
    )
    assert np.abs(lifted_table(Model("m", (arm, tool)))[1] - [1.5, 0.6, 0.0, 0.0]).max() < 1e-15
    assert lifted_table(Model("m", (arm,))).shape[0] == 0
