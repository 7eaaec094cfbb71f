"""A ball rolled over an egg: where the contact wanders, and what holding it takes."""

import numpy as np

from carpal.contact import contact_coordinates, contact_frame, grasp_rows, principal_curvatures, relative_twist, roll
from carpal.model import Ellipsoid, Plane, Sphere
from carpal.spatial import pose

EGG, BALL = Ellipsoid((0.9, 0.5, 0.3)), Sphere(0.15)

# put the ball on top of the egg and roll it by an arbitrary angular velocity, without slip
X_AB = pose(p=[0, 0, 0.3 + 0.15])
first = contact_coordinates(EGG, np.eye(4), BALL, X_AB)
run = roll(EGG, BALL, first, lambda t: [0, 0, 0, np.sin(t), 0.6, 0.2 * np.cos(2 * t)], dt=1e-3, duration=5.0)
print(run)
print("contact on the egg at the end [m]:", np.round(run.p_A[-1], 4))
assert run and abs(run.arc_a[-1] - run.arc_b[-1]) < 1e-12  # rolling: the same length on both

# how curved the egg is there
bend = principal_curvatures(EGG, run.p_A[-1])
print("curvatures there [1/m]:", np.round(bend.values, 3))

# the contact's frame, the relative twist at it, and the wrench on the ball of a push along the normal
X, p_C = run.X_AB[-1], run.p_A[-1]
R_WC = contact_frame(bend.normal)
w = np.array([np.sin(5.0), 0.6, 0.2 * np.cos(10.0)])
V_WB = np.concatenate([np.cross(w, X[:3, 3] - p_C), w])  # the ball turns about the contact point
V_C = relative_twist(R_WC, p_C, np.zeros(3), np.zeros(6), X[:3, 3], V_WB)
assert np.abs(V_C[:3]).max() < 1e-12  # it does not slip
push = grasp_rows(R_WC, p_C, X[:3, 3]).T @ [0, 0, 2.0, 0, 0, 0]
print("push of 2 N, as a wrench on the ball:", np.round(push, 3))
assert np.abs(push[3:]).max() < 1e-9  # a push along the normal goes through the ball's centre

# holonomy: once around a circle on a floor turns the ball by 2 pi sqrt(1 + (rho / r)^2)
rho, r = 0.2, 0.15
start = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[rho, 0, r]))
circle = roll(
    Plane(), BALL, start, lambda t: rho / r * np.array([0, 0, 0, -np.cos(t), -np.sin(t), 0]),
    dt=2 * np.pi / 4000, duration=2 * np.pi,
)  # fmt: skip
turned = np.trace(circle.X_AB[-1, :3, :3])
print("back at the start, turned by", round(float(np.degrees(np.arccos((turned - 1) / 2))), 3), "degrees")
assert abs(turned - (1 + 2 * np.cos(2 * np.pi * np.hypot(1, rho / r)))) < 1e-9
