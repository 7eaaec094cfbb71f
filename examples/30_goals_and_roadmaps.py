"""Goals in space, cheaper paths while time lasts, jerk limits, and plans again after an obstacle moved."""

from pathlib import Path

import numpy as np

import carpal
from carpal.model import Box
from carpal.planning import PoseGoal, build_roadmap

arm = Path(__file__).parent / "scenes" / "capsule_arm.xml"
scene = carpal.Scene("cell").add_robot(arm, name="arm")
scene.add_fixed("post", Box((0.06, 0.06, 1.2)), pose=[0.55, 0.15, 0.6])
model = scene.build()
start, there = np.array([-0.4, 0.9, 0, 0, 0, 0, 0]), np.array([0.9, 0.9, 0, 0, 0, 0, 0])

# the tool within 10 mm of a pose, turned about its z axis as it likes: any posture will do
goal = PoseGoal(carpal.fk(model, there), position=0.01, angle=(0, 0, np.pi))
result = carpal.plan(scene, start, goal)
print(result)
print("misses its region by", goal.miss(model, result.path[-1]))

# better while time lasts
better = carpal.plan(scene, start, there, planner="prm_star", max_samples=4000)
print(f"{better.history[0, 2]:.3f} s at first, {better.cost:.3f} s after {better.samples} samples")

# within limits of speed, acceleration and jerk, and swept without gaps
limits = {"v_max": 1.5, "vdot_max": 5.0, "jerk_max": 50.0}
motion = better.trajectory(**limits)
print(motion, motion.check(model, **limits))

# proven once, asked many times, also after the post has moved
roadmap = build_roadmap(scene, nodes=300)
print(roadmap, roadmap.plan(start, there), sep="\n")
roadmap.move("post", [0.55, -0.05, 0.6])
again = roadmap.plan(start, there)
print(again)
assert result.proven and better.proven and again.proven and motion.check(model, **limits)
