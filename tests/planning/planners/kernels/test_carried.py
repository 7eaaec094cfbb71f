"""Edges with a payload: what is called free is free wherever it is sampled, for every angle; what clearly touches is refused."""

import numpy as np
import pytest
from payload_scenes import questions, relay_scene

from carpal.contact import collides, distance
from carpal.errors import InputError
from carpal.planning import AngleSet, angles_along, follow_payload
from carpal.planning.payload.kernels import angle_set, stored_set
from carpal.planning.planners.kernels import run
from carpal.planning.planners.kernels.carried import ends_known
from carpal.planning.planners.kernels.search_state import COUNTS, HIT, WORST, SceneTables, Search

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]


def sampled(history, scene, per_check=5):
    """Configurations with the payload's angle last, between all checks, for angles of their sets."""
    rows = []
    for k in range(1, len(history)):
        angles = AngleSet(history.states[k]).samples(np.radians(3))
        for t in np.linspace(0, 1, per_check):
            q = history.q[k - 1] + t * (history.q[k] - history.q[k - 1])
            rows.append(np.concatenate([np.broadcast_to(q, (len(angles), len(q))), angles[:, None]], axis=1))
    return np.concatenate(rows)


def test_free_edges_are_free_everywhere_and_others_are_refused():
    scene = relay_scene()
    starts, goals, angles = questions(scene, 60, seed=7)
    ends = starts + 0.15 * (goals - starts)
    free, refused, wrong = 0, 0, 0
    for start, end, angle in zip(starts, ends, angles, strict=True):
        try:
            history = follow_payload(scene, [start, end], (float(angle), 0.02))
        except InputError as problem:
            refused += 1
            if "not known" not in str(problem):
                sets = angles_along(scene.model, scene.payload, [start, end], angle=float(angle))
                wrong += float(distance(scene.tables, sampled(sets, scene)).distance.min()) > 0.02
            continue
        free += 1
        assert not collides(scene.tables, sampled(history, scene)).hit.any()
    assert free >= 10 and refused >= 3 and wrong == 0


def test_the_recorded_checks_join_start_and_end():
    scene = relay_scene()
    starts, goals, angles = questions(scene, 30, seed=8)
    for start, goal, angle in zip(starts, goals, angles, strict=True):
        try:
            history = follow_payload(scene, [start, start + 0.1 * (goal - start)], (float(angle), 0.02))
        except InputError:
            continue
        assert np.array_equal(history.q[0], start) and np.allclose(history.q[-1], start + 0.1 * (goal - start))
        assert np.abs(np.diff(history.q, axis=0)).max() <= 0.08 * (1 + 1e-9)
        assert ((history.states > 0).sum(axis=1) > 0).all()
        return
    pytest.fail("none of the short edges was free")


def reached_at_rest(scene, q, angle):
    """A search whose node 0 is reached with the payload at rest at an angle."""
    tables = scene.tables
    placed_scene = SceneTables(*tables.constants, scene.margin, scene.numbers, scene.payload.holding)
    nodes, counts, sets = q.reshape(1, 1, -1).copy(), np.zeros((1, COUNTS)), np.zeros((1, 1, stored_set.STORED))
    counts[0, WORST] = 1e9
    sets[0, 0, : angle_set.MOTIONS] = angle_set.NONE
    sets[0, 0, angle_set.ELAPSED] = 0.0
    sets[0, 0, angle_set.MOTIONS : angle_set.MOTIONS + 3] = 1.0, angle - 0.02, angle + 0.02
    spare = np.zeros((1, 1)), np.zeros((1, 1, 1))
    check = [np.zeros((1, tables.placed_rows, run.CHECK_SCRATCH[0])), np.zeros((1, *run.CHECK_SCRATCH[1]))]
    return placed_scene, Search(
        nodes, spare[1], spare[1], spare[0], counts, np.zeros((1, tables.model.nq)), *check, np.zeros((1, 2, len(tables.pairs))),
        sets, np.zeros((1, angle_set.ROWS, angle_set.CELLS)), np.zeros((1, len(tables.pairs) + len(tables.blocks))),
    )  # fmt: skip


def test_what_swings_into_something_while_waiting_does_not_arrive():
    scene = relay_scene()
    starts, _, angles = questions(scene, 40, seed=9)
    arrived, touched = 0, 0
    for q, hangs in zip(starts, angles, strict=True):
        for angle in (hangs, hangs + 1.2, hangs + 2.2):
            placed_scene, search = reached_at_rest(scene, q, angle)
            history = angles_along(scene.model, scene.payload, q[None], angle=angle)
            passed = AngleSet(np.maximum(history.states[-1], history.waiting.states)).samples(np.radians(1))
            near = distance(scene.tables, np.column_stack([np.tile(q, (len(passed), 1)), passed])).distance.min()
            answer = ends_known(placed_scene, search, 0, 0)
            if near < -1e-9 or not history.known:
                assert not answer and (search.counts[0, HIT] >= 0) == history.known
                touched += history.known
            elif near > 0.01:
                assert answer and search.counts[0, HIT] < 0
                arrived += 1
    assert arrived > 10 and touched > 10
