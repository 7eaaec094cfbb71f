"""Moved shapes: the same answers as tables that are built again from a scene in which they stand there."""

import numpy as np
import pytest
from planning_scenes import six_joint_arm
from random_models import random_rotation

from carpal.contact import collides, collision_checker, distance, lane_tables, moved_lanes, moved_tables, sphere_checker
from carpal.contact.sphere_checks import SphereChecker
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import random_configurations
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Scene, Sphere
from carpal.spatial import pose

SHAPES = {"box": Box((0.2, 0.1, 0.3)), "ball": Sphere(0.1), "rod": Capsule(0.05, 0.4), "tin": Cylinder(0.08, 0.2)}


def scene_with(poses: dict[str, np.ndarray]) -> Scene:
    scene = (
        Scene("moved")
        .add_robot(six_joint_arm(), name="arm")
        .add_fixed("egg", Ellipsoid((0.1, 0.05, 0.2)), pose=[9, 0, 0])
    )
    for name, shape in SHAPES.items():
        scene.add_fixed(name, shape, pose=poses[name])
    return scene


def random_poses(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {name: pose(random_rotation(rng), rng.uniform([-0.6, -0.6, 0.1], [0.6, 0.6, 1.3])) for name in SHAPES}


def test_moved_tables_answer_as_built_ones():
    rng = np.random.default_rng(0)
    tables = collision_checker(scene_with(random_poses(rng))).tables
    q = random_configurations(tables.model, 300, seed=1)
    for _ in range(4):
        to = random_poses(rng)
        built = collision_checker(scene_with(to)).tables
        moved = moved_tables(tables, to)
        assert np.array_equal(collides(moved, q).hit, collides(built, q).hit)
        assert np.allclose(distance(moved, q).distance, distance(built, q).distance, atol=1e-12)
        lanes = moved_lanes(moved, tables, 0.0, list(to))
        assert lane_tables(moved) is lanes
        one, two = SphereChecker(moved.model, lanes)(q), sphere_checker(collision_checker(scene_with(to)))(q)
        assert (one == two).mean() > 0.99 and not (~one & collides(moved, q).hit).any()
        tables = moved
    still = moved_tables(tables, {"box": [0.1, 0.2, 0.3]})
    X = {shape.name: shape.X_BS for shape in still.model.shapes}["box"]
    assert np.array_equal(X[:3, 3], [0.1, 0.2, 0.3]) and np.array_equal(X[:3, :3], to["box"][:3, :3])


def test_what_cannot_be_moved_is_said():
    tables = collision_checker(scene_with(random_poses(np.random.default_rng(0)))).tables
    with pytest.raises(UnknownNameError, match=r"standing shape 'crate'.*box"):
        moved_tables(tables, {"crate": [0, 0, 0]})
    with pytest.raises(UnknownNameError, match="standing shape"):
        moved_tables(tables, {tables.names[0]: [0, 0, 0]})
    for bad in ([0, 0], [0, 0, np.nan], np.eye(4) * 2):
        with pytest.raises(InputError, match="pose of 'box' must be finite"):
            moved_tables(tables, {"box": bad})
