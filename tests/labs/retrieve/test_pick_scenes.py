"""The prepared scenes: home is free, the relay stands at several places at once, the held relay counts but for the gripper."""

import numpy as np

from carpal.contact import collides
from carpal.labs.retrieve import HOME, RELAY, relay_pose
from carpal.labs.retrieve.pick_scenes import NEAR, carrying_scene, free_arm, scene_with_relays


def test_home_is_free_by_more_than_the_margin():
    assert float(free_arm().distance(HOME).distance) > 2 * NEAR


def test_a_relay_at_several_places_does_not_touch_itself():
    poses = np.stack([relay_pose(0.5, 0.3, yaw) for yaw in (0.0, 0.1, 0.2)])
    scene = scene_with_relays(poses)
    assert not collides(scene, HOME)
    at_arm = np.stack([relay_pose(0.0, -0.4, 0.0), relay_pose(0.5, 0.3, 0.0)])
    hit = collides(scene_with_relays(at_arm), HOME)
    assert hit and any("relay_0/" in name for name in hit.names())


def test_the_held_relay_meets_the_arm_but_not_its_gripper():
    scene = carrying_scene()
    assert scene.margin == NEAR and scene.payload.arm > RELAY.d
    pairs = {frozenset(scene.tables.pair_names(i)) for i in range(len(scene.tables.pairs))}
    assert frozenset(("held/relay_antenna", "arm/forearm")) in pairs
    assert frozenset(("held/relay_body", "ground")) in pairs
    assert not any("arm/lower_blade" in pair and any("held" in name for name in pair) for pair in pairs)
