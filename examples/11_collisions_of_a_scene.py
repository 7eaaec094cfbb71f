"""A scene with a robot, a shelf and a cup: who touches whom, how deep, and is a path free."""

import numpy as np

from carpal.contact import collides, collision_checker, distance, first_contact
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Plane, Scene, Sphere
from carpal.spatial import pose

# an arm of three links, a capsule on each
bodies, shapes = [], []
for i, axis in enumerate(([0, 0, 1], [0, 1, 0], [0, 1, 0])):
    joint = Joint(f"joint_{i}", "revolute", X_PJ=pose(p=[0, 0, 0.2 if i == 0 else 0.4]), axis=np.array(axis, float))
    bodies.append(Body(f"link_{i}", f"link_{i - 1}" if i else None, joint))
    shapes.append(PlacedShape(f"tube_{i}", f"link_{i}", Capsule(0.05, 0.4), pose(p=[0, 0, 0.2])))
arm = Model("arm", tuple(bodies), shapes=tuple(shapes))

scene = Scene("kitchen").add_robot(arm, name="arm")
scene.add_object("cup", Sphere(0.04), mass=0.2, pose=[0.0, 0.0, 1.5])
scene.add_fixed("shelf", Box((0.3, 0.8, 0.02)), pose=[0.6, 0.0, 0.8])
scene.add_fixed("floor", Plane())
scene.exclude("arm/tube_0", "floor")

# q holds the three joints, then the cup's position and quaternion
q = scene.build().q_home
print(distance(scene, q))
bent = np.array(q)
bent[1] = 1.3
hit = collides(scene, bent)
print(hit)  # the pair and the depth are named
assert hit and "shelf" in hit.names()

# planners ask the arm alone, with the cup in its hand
checker = collision_checker(scene, joints=["arm"], held={"cup": "arm/link_2"})
assert not checker(np.zeros(3))
path = checker.sweep(np.zeros(3), np.array([0.0, 1.3, 0.0]))
print(path)
assert not path and not checker(path.at * np.array([0.0, 1.3, 0.0]))
assert checker.sweep(np.zeros(3), np.array([1.5, 0.2, 0.2]))

# a thousand configurations at once
many = np.random.default_rng(0).uniform(-1.5, 1.5, (1000, 3))
print(checker.collides(many))

# a fast small ball does not tunnel through a thin plate
ball = first_contact(
    Sphere(0.005), pose(p=[0, 0, 1]), [0, 0, -20, 0, 0, 0], Box((1, 1, 0.001)), np.eye(4), np.zeros(6), 1.0
)
print(ball)
assert abs(ball.time - (1 - 0.0055) / 20) < 1e-7
