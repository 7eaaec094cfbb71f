"""Rates of distances against finite differences, for pairs of smooth shapes whose nearest points move smoothly."""

from __future__ import annotations

import numpy as np
from collision_scenes import capsule_arm

from carpal.contact import DistanceLimit
from carpal.kinematics import integrate, random_configurations
from carpal.model import Body, Joint, PlacedShape, Sphere
from carpal.spatial import pose

STEP = 1e-6


def test_rows_are_the_derivative_of_the_distances():
    arm = capsule_arm()
    balls = [
        PlacedShape(f"ball_{i}", None, Sphere(0.1), pose(p=p))
        for i, p in enumerate([(0.4, 0.2, 0.5), (-0.3, 0.3, 0.9)])
    ]
    flying = Body("flying", None, Joint("fly", "free"))
    model = arm.replace(
        bodies=(*arm.bodies, flying),
        shapes=(*arm.shapes, *balls, PlacedShape("drone", "flying", Sphere(0.15))),
        q_home=None,
    )
    limit = DistanceLimit(model, at_least=0.0, within=2.0, most=12)
    compared = 0
    for q in random_configurations(model, 6, seed=2):
        near, G = limit._near(q)
        assert (np.diff(near[:, 1]) >= 0.0).all()
        for i in range(model.nv):
            v = np.eye(model.nv)[i]
            sides = []
            for s in (STEP, -STEP):
                other, _ = limit._near(integrate(model, q, v, s))
                sides.append({int(pair): d for pair, d in other})
            for (pair, d), row in zip(near, G, strict=True):
                if int(pair) in sides[0] and int(pair) in sides[1] and d > 1e-3:
                    names = limit.tables.pair_names(int(pair))
                    slope = (sides[0][int(pair)] - sides[1][int(pair)]) / (2 * STEP)
                    if any("ball" in name or "drone" in name for name in names):  # capsule with capsule may be parallel
                        assert abs(row[i] - slope) < 1e-6, names
                        compared += 1
    assert compared > 250


def test_the_list_keeps_the_nearest_pairs():
    model = capsule_arm()
    q = random_configurations(model, 20, seed=3)
    everything, few = DistanceLimit(model, within=3.0, most=99), DistanceLimit(model, within=3.0, most=4)
    np.testing.assert_array_equal(everything._near(q)[0][:, :4], few._near(q)[0])
    np.testing.assert_array_equal(everything._near(q)[1][:, :4], few._near(q)[1])
