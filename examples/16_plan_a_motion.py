"""Plan around a post, time-parametrise the path, and follow straight tool lines."""

import numpy as np

import carpal
from carpal.model import Box, Capsule, PlacedShape
from carpal.planning import tool_trajectory
from carpal.spatial import pose, rotation_about

arm = carpal.load("k10")

# the catalogue's K10 has no collision shapes: capsules for its longest links
along_x = rotation_about(np.array([0.0, 1.0, 0.0]), np.pi / 2)
links = (
    PlacedShape("upper", "shoulder_link", Capsule(0.03, 0.325), pose(along_x, (0.1625, 0, 0))),
    PlacedShape("fore", "elbow_link", Capsule(0.025, 0.311), pose(along_x, (0.1555, 0, 0.0692))),
    PlacedShape("hand", "wrist_link", Capsule(0.025, 0.08), pose(along_x, (0.06, 0, 0))),
)
scene = carpal.Scene("cell").add_robot(arm.replace(shapes=links), name="arm")
scene.add_fixed("post", Box((0.06, 0.06, 0.8)), pose=[0.5, 0.0, 0.4]).exclude("arm/fore", "arm/hand")

start, goal = np.array([-0.9, -0.2, 0.3, 0.0, 0.2]), np.array([0.9, -0.2, -0.3, 0.0, 0.2])
result = carpal.plan(scene, start, goal, seed=1)
print(result)  # a path of ... straight edges was found by rrt_connect ...
motion = result.trajectory()
print(motion, motion.check(result.model))

# straight tool lines with the tool pointing down; the corner is passed within 10 mm
line = tool_trajectory(arm, ([[0.4, 0, 0.2], [0.4, 0.2, 0.2], [0.3, 0.3, 0.3]], (0.0, 0.0, -1.0)))
q, v, vdot = line.sample(0.033)
print(line, "the tool ends at", carpal.fk(arm, q[-1])[:3, 3])
assert result.ok and motion.check(result.model) and line.check(arm)
