"""Describe an arm three ways; they agree."""

import numpy as np

import carpal
from carpal.model import Body, DHRow, Frame, Joint
from carpal.spatial import pose

by_dh = carpal.Model.from_dh([DHRow(a=0.3, name="shoulder"), DHRow(a=0.2, name="elbow")], name="planar")

home = pose(p=(0.5, 0, 0))
screws = [[0, 0, 0, 0, 0, 1], [0, -0.3, 0, 0, 0, 1]]  # (-w x p, w), linear part first
by_screws = carpal.Model.from_screws(screws, home)

by_parts = carpal.Model(
    name="planar",
    bodies=(
        Body("upper", None, Joint("shoulder", "revolute")),
        Body("fore", "upper", Joint("elbow", "revolute", X_PJ=pose(p=(0.3, 0, 0)))),
    ),
    extra_frames=(Frame("tool", "fore", pose(p=(0.2, 0, 0))),),
    tool="tool",
)

q = np.array([0.4, -1.1])
poses = [carpal.fk(model, q) for model in (by_dh, by_screws, by_parts)]
print(poses[0])
assert np.allclose(poses[0], poses[1], atol=1e-12)
assert np.allclose(poses[0], poses[2], atol=1e-12)

try:
    carpal.mass_matrix(by_dh, q)
except carpal.errors.CarpalError as refusal:
    print("refused:", refusal)
