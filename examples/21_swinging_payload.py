"""A relay that may turn in its gripper: will it turn, which angles may it have along a path, and a plan free for all of them."""

import numpy as np

import carpal
from carpal.model import Capsule, PlacedShape, Plane
from carpal.planning import adjust, angles_along, gravity_in_gripper, relay_payload
from carpal.spatial import pose, rotation_about

relay = relay_payload()  # 0.49 kg, 0.52 m to the antenna's tip; friction between 0.2 and 0.4
for tilt in (20, 40, 60):
    print(f"tilted by {tilt} degrees, 90 degrees from gravity:", adjust(relay, np.radians(tilt), np.radians(90)))

along_x = rotation_about(np.array([0.0, 1.0, 0.0]), np.pi / 2)
links = (
    PlacedShape("upper", "shoulder_link", Capsule(0.03, 0.325), pose(along_x, (0.1625, 0, 0))),
    PlacedShape("fore", "elbow_link", Capsule(0.025, 0.311), pose(along_x, (0.1555, 0, 0.0692))),
    PlacedShape("hand", "wrist_link", Capsule(0.025, 0.07), pose(along_x, (0.07, 0, 0))),
)
arm = carpal.load("k10", mounting="upside_down").replace(shapes=links, exclusions=(("fore", "hand"),))
scene = carpal.Scene("rover").add_robot(arm, name="arm").add_fixed("ground", Plane())

# the set of its angles while the wrist turns the gripper up: it may start to swing, and hangs at the end
path = np.array([[0.0, -1.0, 0.6, 0.0, -0.6], [0.0, -1.0, 0.6, 0.0, 0.55]])
g = gravity_in_gripper(arm, relay, path)
print("tilt from", np.degrees(np.arccos(g[:, 2] / 9.81)).round(), "degrees:", angles_along(arm, relay, path, angle=1.5))

# a plan that is free for every angle that it may have, and ends where its angle is known
start, goal = np.array([-1.0, 0.28, -0.34, -2.6, -0.26]), np.array([1.47, 0.14, -0.82, -0.13, 1.52])
g = gravity_in_gripper(arm, relay, start)
result = carpal.plan(scene, start, goal, payload=relay, angle=float(np.arctan2(g[1], g[0])), max_samples=3000)
print(result)
print(result.angles, result.angles.settled)
assert result.ok and result.proven and result.angles.known
