"""The check of plans itself: distances never change faster than its bound, and nothing that overlaps is skipped."""

import mujoco
import numpy as np
import pytest
from payload_recheck import Recheck, Tally, runs
from payload_scenes import recheck_of, relay_scene


@pytest.fixture(scope="module")
def recheck():
    return recheck_of(relay_scene())


def test_no_distance_changes_faster_than_the_bound(recheck, figure):
    rng = np.random.default_rng(0)
    low, high = recheck.model.jnt_range[:-1].T
    worst, tightest = 0.0, 0.0
    for _ in range(300):
        q0, angle0 = rng.uniform(low, high), rng.uniform(-np.pi, np.pi)
        size = 10 ** rng.uniform(-3, 0)
        q1, angle1 = q0 + rng.normal(scale=size, size=5), angle0 + rng.normal(scale=size)
        recheck.place(q0, angle0)
        before = np.array([recheck.apart(pair) for pair in range(len(recheck.pairs))])
        recheck.place(q1, angle1)
        after = np.array([recheck.apart(pair) for pair in range(len(recheck.pairs))])
        bound = recheck.rates @ np.abs(np.append(q1 - q0, angle1 - angle0))
        apart = (before > 0) & (after > 0)
        worst = max(worst, float((np.abs(after - before) - bound)[apart].max()))
        tightest = max(
            tightest, float((np.abs(after - before) / np.maximum(bound, 1e-12))[apart & (bound > 1e-4)].max())
        )
    figure("check of plans with a payload: approach of two shapes beyond its bound [m]", worst, 1e-5)
    assert tightest > 0.8, "a bound that is far too wide would be no test"


def test_distances_are_those_of_mujoco(recheck):
    rng = np.random.default_rng(1)
    low, high = recheck.model.jnt_range[:-1].T
    kinds = recheck.model.geom_type
    seen = 0
    for _ in range(50):
        recheck.place(rng.uniform(low, high), rng.uniform(-np.pi, np.pi))
        for pair, (a, b) in enumerate(recheck.pairs):
            if kinds[a] == kinds[b] == mujoco.mjtGeom.mjGEOM_BOX:
                continue  # MuJoCo's boxes have contacts, not distances
            theirs = mujoco.mj_geomDistance(recheck.model, recheck.data, a, b, 5.0, None)
            ours = recheck.apart(pair)
            if theirs > 1e-6 or ours > 1e-6:
                assert ours == pytest.approx(theirs, abs=1e-5), (recheck.names[a], recheck.names[b])
                seen += 1
    assert seen > 500


@pytest.mark.parametrize("shift", [0.0, 0.35])
def test_every_overlapping_sample_is_found(recheck, shift):
    """A piece on which the relay meets the ground for some angles, sample by sample and by halving."""
    q0, q1 = np.array([0.3, -0.6 + shift, 1.0, 0.2, 0.3]), np.array([0.5, -0.2 + shift, 1.2, 0.4, 0.5])
    angles, steps = np.linspace(-3.0, 3.0, 121), 20
    pairs = np.flatnonzero(recheck.turned)
    counts = {frozenset(recheck.pairs[pair]) for pair in pairs}
    every = Tally()
    for i in range(steps + 1):
        for angle in angles:
            recheck.place(q0 + i / steps * (q1 - q0), angle)
            every.overlaps += recheck.overlap(counts, every)
    found = recheck.block(q0, q1, steps, angles, pairs)
    assert 0 < every.overlaps < every.overlaps + 1 <= found.samples
    assert found.overlaps == every.overlaps and found.deepest == every.deepest and found.named == every.named
    assert found.checks + found.proven == found.samples == 21 * 121 and found.proven > 200


def test_a_whole_path_counts_arm_payload_and_waiting(recheck):
    states, full = np.zeros((2, 180), int), np.ones((2, 180), int)
    states[:, 90:92] = 1
    q = np.array([[-0.46, 0.2, -0.5, -0.03, 0.58], [-0.36, 0.2, -0.5, -0.03, 0.58]])
    free = recheck.along(q, states, states[0], 1e-3, np.radians(0.2))
    assert free.overlaps == 0 and free.samples > 3000 and free.checks < 50
    assert recheck.along(q, full, full[0], 1e-2, np.radians(2.0)).overlaps > 0, "some angles touch"
    assert recheck.along(q, states, full[0], 1e-2, np.radians(2.0)).overlaps > 0, "so they do while waiting"
    q[:, 1] = -0.5  # the arm itself is in the ground
    assert recheck.along(q, 0 * states, 0 * states[0], 1e-2, 0.1).overlaps > 0


def test_angles_cover_the_cells():
    cells = np.zeros(180, int)
    assert runs(cells, 0.1) == []
    cells[[0, 1, 179]] = 1
    first, last = runs(cells, np.radians(0.2))
    assert (
        len(first) == 21 and np.isclose(first[0], -np.pi - np.pi / 180) and np.isclose(first[-1], -np.pi + np.pi / 60)
    )
    assert np.isclose(last[-1] - first[0], 2 * np.pi) and np.diff(first).max() <= np.radians(0.2) + 1e-12


def test_what_the_bound_does_not_cover_is_refused():
    sliding = "<mujoco><worldbody><body><joint type='slide'/><geom size='0.1' mass='1'/></body></worldbody></mujoco>"
    with pytest.raises(AssertionError, match="hinges"):
        Recheck(sliding, [])
