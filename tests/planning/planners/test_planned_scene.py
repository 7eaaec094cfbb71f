"""Scenes for planners: what moves, and what is refused."""

import pytest
from payload_scenes import relay_scene, rover_scene
from planner_inputs import scene_checker
from planning_scenes import six_joint_arm

from carpal.errors import InputError
from carpal.model import Scene, Sphere
from carpal.planning import PlanOptions, relay_payload
from carpal.planning.planners.planned_scene import planned_scene


def test_free_objects_stay_and_the_arm_moves():
    scene = Scene("cell").add_robot(six_joint_arm(), name="arm")
    scene.add_object("ball", Sphere(0.05), mass=0.1, pose=[0.5, 0.6, 0.9])
    ready = planned_scene(scene, PlanOptions(margin=0.01))
    assert ready.model.nq == 6 and ready.margin == 0.01 and ready.carried is None
    assert planned_scene(scene, PlanOptions(joints=["arm/joint_2"])).model.nq == 1


def test_a_payload_adds_its_angle_to_the_tables_only():
    ready = planned_scene(rover_scene(), PlanOptions(payload=relay_payload()))
    assert ready.model.nq == 5 and ready.tables.model.nq == 6
    assert planned_scene(relay_scene(), PlanOptions()).carried is relay_scene()


def test_prepared_scenes_take_no_scene_options():
    with pytest.raises(InputError, match="prepared already"):
        planned_scene(scene_checker(), PlanOptions(margin=0.01))
    with pytest.raises(InputError, match="this scene is prepared"):
        planned_scene(relay_scene(), PlanOptions(joints="arm"))
    with pytest.raises(InputError, match="has no payload"):
        planned_scene(scene_checker(), PlanOptions(payload=relay_payload()))
