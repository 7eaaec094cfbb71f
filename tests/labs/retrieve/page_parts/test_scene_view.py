"""The scene of a pick-up: every pair that collides is found and red, and only while it does."""

import itertools

import numpy as np
import pytest

from carpal.contact import shape_distance
from carpal.kinematics import fk
from carpal.labs.retrieve import GRIPPER, HOME, relay_pose, true_model, true_rows
from carpal.labs.retrieve.page_parts.scene_view import RED, RetrieveView, colliding_pairs
from carpal.labs.retrieve.relay.held_relay import relay_in_payload
from carpal.report.viser_server import closed_server

BAD = np.radians([17.0, -17.0, 52.0, 11.0, 52.0])


@pytest.fixture(scope="module")
def model():
    return true_model()


def row(q, X=None, opening=0.035):
    return true_rows(np.asarray(q, float), opening, relay_pose(0.36, 0.35, -1.24) if X is None else X)


def by_hand(model, q):
    """Pairs that overlap, one by one, of bodies that are not neighbours."""
    parents = {body.name: body.parent for body in model.bodies}
    poses = {s.name: s.X_BS if s.body is None else fk(model, q, s.body) @ s.X_BS for s in model.shapes}
    found = set()
    for a, b in itertools.combinations(model.shapes, 2):
        near = a.body == b.body or parents.get(a.body) == b.body or parents.get(b.body) == a.body
        if near or {a.body, b.body} <= {None}:
            continue
        if shape_distance(a.shape, poses[a.name], b.shape, poses[b.name]).distance < 0:
            found.add(frozenset((a.name, b.name)))
    return found


def test_all_colliding_pairs_are_found(model):
    assert colliding_pairs(model, row(HOME)) == []
    q = row(BAD)
    found = {frozenset(pair) for pair in colliding_pairs(model, q)}
    assert frozenset(("arm/lower_blade", "ground")) in found and len(found) >= 2
    overlapping = {pair for pair in by_hand(model, q) if not any(name.startswith("relay/") for name in pair)}
    assert found == overlapping - {frozenset(pair) for pair in model.exclusions}


def test_what_is_held_may_touch_the_gripper_and_nothing_else(model):
    X_WO = GRIPPER.X_TG(fk(model, row(HOME))) @ relay_in_payload()
    q = row(HOME, X_WO, 0.002)  # a millimetre less than the flap is thick
    assert ("arm/lower_blade", "relay/relay_knob_flap") in colliding_pairs(model, q)
    assert colliding_pairs(model, q, held=True) == []


def test_red_comes_and_goes(model):
    with closed_server() as server:
        view = RetrieveView(server, model)
        plain = {name: tuple(node.color) for name, node in view._view.shapes.items()}
        view.show(row(BAD))
        view.mark(colliding_pairs(model, row(BAD)))
        assert "arm/lower_blade" in view.red and "ground" not in view.red
        assert tuple(view._view.shapes["arm/lower_blade"].color) == RED
        view.mark([])
        assert view.red == set()
        assert {name: tuple(node.color) for name, node in view._view.shapes.items()} == plain
