"""Edges with a payload: what is called free is free wherever it is sampled, for every angle; what clearly touches is refused."""

import numpy as np
import pytest
from payload_scenes import questions, relay_scene

from carpal.contact import collides, distance
from carpal.errors import InputError
from carpal.planning import AngleSet, angles_along, follow_payload

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]


def sampled(history, scene, per_look=5):
    """Configurations with the payload's angle last, between all looks, for angles of their sets."""
    rows = []
    for k in range(1, len(history)):
        angles = AngleSet(history.states[k]).samples(np.radians(3))
        for t in np.linspace(0, 1, per_look):
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


def test_the_recorded_looks_join_start_and_end():
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
