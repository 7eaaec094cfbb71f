"""How far apart are two shapes, where do they touch, and how deep?"""

import numpy as np

from carpal.contact import contact_points, shape_distance, shapes_nearer_than
from carpal.model import Box, Capsule, Cylinder, Plane


def at(x: float, y: float, z: float) -> np.ndarray:
    """A pose without rotation."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


finger = Capsule(radius=0.01, length=0.05)
box = Box((0.1, 0.1, 0.1))

# apart: the distance, the nearest points and the normal from the first into the second
result = shape_distance(finger, at(0, 0, 0.2), box, np.eye(4))
print(result)
assert abs(result.distance - 0.115) < 1e-12
assert np.allclose(result.p_WB - result.p_WA, result.distance * result.n_AB_W)

# many placements at once: lower the finger into the box
heights = np.linspace(0.2, 0.06, 8)
lowered = shape_distance(finger, np.stack([at(0, 0, z) for z in heights]), box, np.eye(4))
print(lowered)
assert (np.diff(lowered.distance) < 0).all() and lowered.depth[-1] > 0

# only yes or no, as planners ask it
near = shapes_nearer_than(finger, np.stack([at(0, 0, z) for z in heights]), box, np.eye(4), margin=0.02)
assert (near == (lowered.distance <= 0.02)).all()

# faces that meet have up to four contact points, each with its depth
for shape, height in ((box, 0.05), (Cylinder(0.05, 0.1), 0.05)):
    touching = contact_points(Plane(), np.eye(4), shape, at(0, 0, height - 1e-3))
    print(touching)
    assert touching.count >= 3 and np.allclose(touching.depth[: touching.count], 1e-3)
