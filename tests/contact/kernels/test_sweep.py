"""A path that is called free is free, thin walls are not missed, and what is called a hit is near one."""

import numpy as np
from collision_scenes import boxed_arm

from carpal.contact import collides, distance, sweep
from carpal.kinematics import random_configurations
from carpal.model import Body, Box, Joint, Model, PlacedShape, Sphere
from carpal.spatial import pose

SCENE = boxed_arm()
MODEL = SCENE.build()


def test_free_paths_are_free_and_hits_are_hits(figure):
    q = random_configurations(MODEL, 300, seed=9)
    q = q[~collides(SCENE, q).hit][:60]
    q0, q1 = q[:30], q[30:60]
    found = sweep(SCENE, q0, q1)
    assert 0.05 < found.ok.mean() < 0.95
    t = np.linspace(0, 1, 1001)[:, None, None]
    least = distance(SCENE, q0 + t * (q1 - q0)).distance.min(axis=0)
    figure(
        "conservative sweeps called free that dense sampling finds touching", int((found.ok & (least <= 0)).sum()), 0
    )
    there = distance(SCENE, q0 + found.at[:, None] * (q1 - q0))
    assert np.abs(there.distance - found.distance)[~found.ok].max() < 1e-12
    assert (found.distance[~found.ok] <= found.tolerance).all() and (found.distance[~found.ok] > 0).all()
    # before the hit there is none
    for i in np.flatnonzero(~found.ok)[:5]:
        before = np.linspace(0, found.at[i], 200)[:-1, None]
        assert not collides(SCENE, q0[i] + before * (q1[i] - q0[i]))
    looked = sweep(SCENE, q0, q1, resolution=0.002)
    sure = np.abs(least) > 1e-3
    assert np.array_equal(looked.ok[sure], found.ok[sure])
    assert np.abs(looked.at - found.at)[~found.ok & sure].max() < 0.02


def slider() -> Model:
    """A 5 mm ball on a slide, and a plate of 1 mm."""
    joint = Joint("slide", "prismatic", axis=np.array([1.0, 0.0, 0.0]))
    shapes = (
        PlacedShape("ball", "carriage", Sphere(0.005)),
        PlacedShape("plate", None, Box((0.001, 1, 1)), pose(p=[0.6, 0, 0])),
    )
    return Model("slider", (Body("carriage", None, joint),), shapes=shapes)


def test_a_thin_plate_is_met_conservatively_but_can_be_missed_in_steps():
    model = slider()
    found = sweep(model, [0.0], [1.0])
    assert not found and found.names() == ("ball", "plate")
    assert abs(found.at - (0.6 - 0.0005 - 0.005)) <= found.tolerance
    assert sweep(model, [0.0], [1.0], resolution=0.3)
    assert not sweep(model, [0.0], [1.0], resolution=0.005)
    assert sweep(model, [0.0], [0.59])


def test_one_at_a_time_gives_the_bits_of_the_batch():
    q = random_configurations(MODEL, 12, seed=10)
    batch = sweep(SCENE, q[:6], q[6:], threads=2)
    for i in range(6):
        one = sweep(SCENE, q[i], q[6 + i])
        assert (one.ok, one.pair, one.at, one.distance, one.checks) == tuple(
            getattr(batch, name)[i] for name in ("ok", "pair", "at", "distance", "checks")
        )
