"""Lines of a pick-up: where they lead, that they touch nothing, why others are refused."""

import numpy as np
from retrieve_inputs import RELAY_AT

from carpal.contact import collides, collision_checker
from carpal.kinematics import fk
from carpal.labs.retrieve import GRIPPER, HOME, RELAY, relay_pose, retrieve_scene
from carpal.labs.retrieve.planning.pick_lines import (
    BESIDE,
    DOWN,
    LIFT,
    OVER_FLAP,
    _touches,
    find_pick_lines,
    line_points,
    postures,
    travel_time,
)
from carpal.labs.retrieve.relay.held_relay import AIM_OUT
from carpal.labs.retrieve.scene import free_arm, scene_with_relays
from carpal.model import Sphere

X_WO = relay_pose(*RELAY_AT)


def in_relay(points):
    return (points - X_WO[:3, 3]) @ X_WO[:3, :3]


def test_the_lines_lead_beside_the_flap_in_and_onto_it():
    for side in (0.0, 0.5):
        above, beside, inside, onto = in_relay(line_points(X_WO, side))
        assert np.allclose(onto, RELAY.grip_point + np.array([AIM_OUT, 0, OVER_FLAP]))
        out = BESIDE * np.array([np.cos(side), np.sin(side), 0.0])
        assert np.allclose(beside - inside, out) and np.allclose(above[:2], beside[:2])
        # the blade's rim is clear of the flap's end where the gripper is lowered
        assert BESIDE + AIM_OUT - GRIPPER.blade_radius > 0.03


def test_postures_point_down_at_the_place():
    model = free_arm().model
    point = line_points(X_WO, 0.0)[0]
    found = postures(model, point)
    X = fk(model, found)
    assert len(found) >= 2 and np.allclose(X[:, :3, 0], DOWN, atol=1e-9)
    assert np.allclose(X[:, :3, 3] + GRIPPER.plane * DOWN, point, atol=1e-9)


def test_ways_touch_nothing_and_the_quickest_comes_first():
    found, _ = find_pick_lines(X_WO, HOME)
    assert found
    scene = retrieve_scene(X_WO)
    for lines in found[:3]:
        assert not collides(scene, lines.grasp.sample(0.05)[0])
        up = fk(free_arm().model, lines.lift.sample(0.05)[0])[:, 2, 3]
        assert np.isclose(up[-1] - up[0], LIFT, atol=1e-6)
    straight = [travel_time(free_arm().model, HOME, w.q_before) for w in found if w.side == 0.0]
    assert straight == sorted(straight)


def test_a_relay_whose_antenna_is_in_the_way_is_refused_with_the_pair():
    found, refused = find_pick_lines(relay_pose(0.19, 0.17, 2.22), HOME)
    assert not found and any("relay_antenna" in text for text in refused)
    unchecked, _ = find_pick_lines(relay_pose(0.19, 0.17, 2.22), HOME, checked=False)
    assert unchecked, "the same without looking"


def test_a_way_whose_lifted_relay_would_touch_is_refused():
    found, refused = find_pick_lines(relay_pose(0.481, 0.013, 1.59), HOME)
    assert found and any(text.startswith("with the relay lifted") and "relay_antenna" in text for text in refused)


def test_something_on_the_lines_alone_refuses_a_way():
    """A stone where the gripper moves in; above it, where it begins, nothing stands."""
    points = line_points(X_WO, 0.0)
    lines = find_pick_lines(X_WO, HOME)[0][0]
    middle = 0.5 * (points[1] + points[2])
    scene = scene_with_relays(X_WO[None]).add_fixed("stone", Sphere(0.012), pose=[*middle[:2], 0.012])
    said = _touches(collision_checker(scene), lines.grasp, lines.lift, X_WO, RELAY, None)
    assert said.startswith("on the entry line") and "'stone'" in said
    assert _touches(collision_checker(scene_with_relays(X_WO[None])), lines.grasp, lines.lift, X_WO, RELAY, None) == ""
