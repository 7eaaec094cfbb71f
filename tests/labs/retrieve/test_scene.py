"""The scenes: what stands where, grasps that touch only the flap, the relay as an obstacle, standing or held."""

import numpy as np
import pytest

import carpal
from carpal.contact import collides, collision_checker
from carpal.errors import InputError
from carpal.labs.retrieve import GRIPPER, HOME, RELAY, gripper_arm, relay_model, relay_pose, retrieve_scene
from carpal.labs.retrieve.scene import NEAR, carrying_scene, free_arm, scene_with_relays
from carpal.model import TriangleMesh
from carpal.spatial import rotation_about

X_WO = relay_pose(0.42, 0.12, 0.6)


def grasp(X: np.ndarray, above: float = 0.0) -> np.ndarray:
    """A configuration whose gripper's axis stands on the grip point, or above it, clear of everything but the relay."""
    target = (X @ np.append(RELAY.grip_point, 1.0))[:3] + np.array([0, 0, GRIPPER.plane + above])
    answers = carpal.ik_all(gripper_arm(), (target, (0.0, 0.0, -1.0)))
    free = collision_checker(retrieve_scene())
    return next(q for q, inside in zip(answers.q, answers.in_limits, strict=True) if inside and not free(q))


def test_what_is_there():
    scene = retrieve_scene(X_WO)
    model = scene.build()
    assert model.nq == 5 and {"ground", "rover_wall", "relay/relay_antenna", "arm/lower_blade"} <= {
        s.name for s in model.shapes
    }
    assert not collides(scene, model.q_home)
    base = carpal.fk(model, np.zeros(5), frame="arm/base")
    assert np.allclose(base[:3, 2], [0, 0, -1]) and base[2, 3] == pytest.approx(0.4)


def test_a_grasp_touches_nothing_until_it_closes():
    q = grasp(X_WO, above=0.001)
    # the flap lies between the open blades, and between closed ones it is met
    assert not collides(retrieve_scene(X_WO), q)
    hit = collides(retrieve_scene(X_WO, opening=0.002), q)
    assert hit and set(hit.names()) == {"arm/lower_blade", "relay/relay_knob_flap"}
    assert not collides(retrieve_scene(None), q)


def test_the_relay_is_an_obstacle():
    q = grasp(X_WO)
    X = X_WO.copy()
    X[:3, 3] += X_WO[:3, 0] * 0.1  # its body where the blades are
    hit = collides(retrieve_scene(X), q)
    assert hit and any("relay" in name for name in hit.names())


def test_a_margin_makes_it_larger():
    thin, thick = (retrieve_scene(X_WO, margin=m).build() for m in (0.0, 0.002))
    sizes = [{s.name: s.shape for s in model.shapes} for model in (thin, thick)]
    assert sizes[1]["arm/lower_blade"].length == pytest.approx(sizes[0]["arm/lower_blade"].length + 0.002)


def test_terrain_and_a_moving_blade():
    points = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0.02], [-1, 1, 0]])
    scene = retrieve_scene(X_WO, terrain=TriangleMesh(points, np.array([[0, 1, 2], [0, 2, 3]])), moving=True)
    assert scene.build().nq == 6
    with pytest.raises(InputError, match="a terrain must be a TriangleMesh; got str"):
        retrieve_scene(terrain="hill.obj")


def test_the_relay_alone():
    model = relay_model()
    assert model.nq == 0 and model.bodies[0].inertia.mass == 0.49
    turned = rotation_about(np.array([0.0, 0.0, 1.0]), 0.6)
    assert np.allclose(X_WO[:3, :3], turned)


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
