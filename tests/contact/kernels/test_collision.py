"""The scene kernels against MuJoCo, against brute force, and against themselves one at a time."""

import mujoco
import numpy as np
import pytest
from collision_scenes import boxed_arm, zoo

from carpal.contact import collides, contact_tables, distance
from carpal.kinematics import random_configurations


def mujoco_distances(scene, tables, q: np.ndarray) -> np.ndarray:
    """(worlds, pairs) by MuJoCo's own forward kinematics and distances."""
    m = mujoco.MjModel.from_xml_string(scene.to_mjcf())
    d = mujoco.MjData(m)
    ids = [m.geom(name).id for name in tables.names]
    out, between = np.empty((len(q), len(tables.pairs))), np.zeros(6)
    for world, row in enumerate(q):
        d.qpos[:] = row
        mujoco.mj_kinematics(m, d)
        for k, (a, b) in enumerate(tables.pairs[:, :2]):
            out[world, k] = mujoco.mj_geomDistance(m, d, ids[a], ids[b], 10.0, between)
    return out


@pytest.mark.parametrize("build", [boxed_arm, zoo], ids=["arm among boxes", "every kind"])
def test_distance_and_verdict_equal_mujocos(build, figure):
    scene = build()
    model = scene.build()
    tables = contact_tables(model)
    q = random_configurations(model, 120, seed=3, unlimited=1.2)
    theirs = mujoco_distances(scene, tables, q)
    ours = distance(scene, q)
    apart = theirs.min(axis=1) > 0
    assert 0.1 < apart.mean() < 0.95
    worst = float(np.abs(ours.distance - theirs.min(axis=1))[apart].max())
    figure(f"scene distance against MuJoCo, {scene.name} [m]", worst, 1e-6)
    hit = collides(scene, q).hit
    unsure = np.abs(theirs.min(axis=1)) < 1e-6
    figure(f"collision verdicts unlike MuJoCo's, {scene.name}", int((hit != ~apart)[~unsure].sum()), 0)
    same_pair = np.abs(theirs[np.arange(len(q)), ours.pair] - theirs.min(axis=1))[apart]
    assert same_pair.max() < 1e-6, "the named pair is a nearest one"


def test_verdict_distance_and_witnesses_agree():
    scene = zoo(5)
    model = scene.build()
    q = random_configurations(model, 300, seed=4)
    near, hit = distance(scene, q), collides(scene, q)
    assert np.array_equal(hit.hit, near.distance <= 0)
    assert np.abs(near.p_WB - near.p_WA - near.distance[:, None] * near.n_AB_W).max() < 1e-12
    assert np.abs(np.linalg.norm(near.n_AB_W, axis=1) - 1).max() < 1e-12
    for margin in (0.02, 0.1, -0.02):
        assert np.array_equal(collides(scene, q, margin=margin).hit, near.distance <= margin)


def test_a_limit_only_leaves_out_what_is_beyond():
    scene = boxed_arm()
    q = random_configurations(scene.build(), 200, seed=5)
    everything, near = distance(scene, q), distance(scene, q, limit=0.05)
    inside = everything.distance < 0.05
    assert inside.any() and not inside.all()
    assert np.array_equal(near.distance[inside], everything.distance[inside])
    assert np.isinf(near.distance[~inside]).all() and (near.pair[~inside] == -1).all()


def test_one_at_a_time_gives_the_bits_of_the_batch_on_any_threads():
    scene = zoo(6)
    model = scene.build()
    q = random_configurations(model, 60, seed=6)
    batch = distance(scene, q, threads=1)
    for other in (distance(scene, q, threads=3), [distance(scene, row) for row in q]):
        rows = other if isinstance(other, list) else None
        for name in ("distance", "pair", "p_WA", "p_WB", "n_AB_W"):
            got = getattr(other, name) if rows is None else np.array([getattr(r, name) for r in rows])
            assert np.array_equal(got, getattr(batch, name)), name
    one = [bool(collides(scene, row)) for row in q]
    assert np.array_equal(one, collides(scene, q, threads=2).hit)


@pytest.mark.full
def test_verdicts_of_many_configurations_equal_mujocos(figure):
    scene = boxed_arm()
    model = scene.build()
    m = mujoco.MjModel.from_xml_string(scene.to_mjcf())
    d = mujoco.MjData(m)
    q = random_configurations(model, 100_000, seed=7)
    hit, near = collides(scene, q).hit, distance(scene, q).distance
    differ = 0
    for row, ours, depth in zip(q, hit, near, strict=True):
        d.qpos[:] = row
        mujoco.mj_kinematics(m, d)
        mujoco.mj_collision(m, d)
        differ += ours != (d.ncon > 0) and abs(depth) > 1e-6
    figure("100,000 configurations of a 7-capsule arm among 10 boxes: verdicts unlike MuJoCo's", differ, 0)
