"""Tables of lanes: parts by what they may touch, a tree that holds all obstacles, bounds on reach, slack above rounding."""

import numpy as np
import pytest
from lane_inputs import among_boxes, sphere_arm
from planning_scenes import boxes_and_spheres
from random_models import random_chain

from carpal.contact import collision_checker, contact_tables, lane_tables
from carpal.contact.kernels import lane_tables as lt
from carpal.kinematics import fk, random_configurations
from carpal.model import Box, Scene


def test_parts_hold_every_shape_that_may_touch():
    tables = contact_tables(boxes_and_spheres(0).build())
    lanes = lane_tables(tables)
    scene = lanes.scene
    assert lanes is lane_tables(tables) and not lanes.exact and 0 < lanes.excess < 0.004 and lanes.solid
    assert (np.diff(scene.parts[:, lt.PART_ROW]) <= 0).all()  # the outermost first
    assert scene.meets.shape == (len(scene.parts), 8) and len(scene.pairs) > 3
    assert len(scene.tree) == 2 * 8 - 1 and sorted(scene.tree[scene.tree[:, lt.LEAF] >= 0, lt.LEAF]) == list(range(8))


def test_spheres_among_boxes_are_exact_and_free_joints_have_no_lanes():
    assert lane_tables(contact_tables(among_boxes(sphere_arm()).build())).exact
    scene = Scene("s").add_robot(sphere_arm(), name="arm").add_object("cube", Box((0.1, 0.1, 0.1)), mass=1.0)
    assert lane_tables(contact_tables(scene.build())) is None


def test_excluded_pairs_are_left_out():
    scene = among_boxes(sphere_arm())
    some = lane_tables(collision_checker(scene, exclude=[("arm/b6", "thing_1")]).tables).scene
    part = some.parts[:, lt.PART_ROW].argmax()
    assert some.meets[part].sum() == 7 and some.meets.sum() >= 8 * len(some.parts) - 2


@pytest.mark.parametrize("seed", range(3))
def test_reaches_bound_how_far_a_joint_moves_a_part(seed):
    model = among_boxes(sphere_arm(seed), seed).build()
    scene = lane_tables(contact_tables(model)).scene
    rng = np.random.default_rng(seed)
    q = random_configurations(model, 50, seed=seed)
    for row in range(1, len(scene.joints)):
        step = np.zeros(model.nq)
        step[row - 1] = 1e-6
        for part, (body, first, end) in enumerate(scene.parts):
            X0, X1 = (fk(model, x, f"arm/b{body - 1}") for x in (q - step, q + step))
            X_BK = np.linalg.inv(model.tables.body_rows[f"arm/b{body - 1}"][1])
            for k in rng.integers(first, end, 2):
                c = X_BK[:3, :3] @ scene.spheres[k, :3] + X_BK[:3, 3]
                speed = np.linalg.norm((X1 - X0)[:, :3, :3] @ c + (X1 - X0)[:, :3, 3], axis=1) / 2e-6
                assert speed.max() <= scene.reaches[part, row] * (1 + 1e-6) + 1e-7


def test_a_model_of_other_joints_is_left_to_the_exact_checks():
    assert (np.array([kind for kind, _ in random_chain(0, 3, kinds=("ball",)).joint_slices()]) == "ball").all()
