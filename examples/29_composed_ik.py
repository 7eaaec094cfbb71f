"""Inverse kinematics composed of targets and limits: one hand goes, the other keeps its place, and a real-time loop."""

import numpy as np

import carpal
from carpal.kinematics import DirectionTarget, IKProblem, JointLimit, PointTarget, PoseTarget, PostureTarget, SpeedLimit
from carpal.model import Body, Joint, Model


def at(x: float, y: float, z: float) -> np.ndarray:
    """A pose without turn."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


bodies = [Body("torso", None, Joint("waist", "revolute", at(0, 0, 0.8), (0, 0, 1), q_min=-1.5, q_max=1.5, v_max=1.0))]
for side, y in (("left", 0.2), ("right", -0.2)):
    parent, X = "torso", at(0, y, 0.3)
    for i, axis in enumerate(((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0))):
        name = f"{side}_{i}" if i < 5 else f"{side}_hand"
        joint = Joint(f"{side}_joint{i}", "revolute", X, axis, q_min=-2.6, q_max=2.6, v_max=2.0)
        bodies.append(Body(name, parent, joint))
        parent, X = name, at(0.15, 0, 0)
robot = Model("two_arms", tuple(bodies), tool="left_hand", tool_axis=(1, 0, 0))
q = np.array([0.0, *[0.2, 0.5, 0.1, 0.6, 0.0, 0.3] * 2])

still = carpal.fk(robot, q, "right_hand")
problem = IKProblem(
    robot,
    [
        PoseTarget(still, frame="right_hand"),  # keeps its place
        PointTarget(frame="left_hand"),  # its goal comes with every call
        DirectionTarget(
            (1.0, 0.0, 0.0), frame="left_hand", name="forward", priority=1
        ),  # as far as the first two allow
        PostureTarget(q),  # below all others
    ],
    limits=[JointLimit(margin=0.05), SpeedLimit(share=0.5)],
)
p = carpal.fk(robot, q, "left_hand")[:3, 3]
found = problem.solve(q, {"left_hand": p + np.array([0.05, -0.1, 0.15])})
print(found)
assert found.ok

worst = 0.0
for k in range(150):  # 100 times a second around a circle
    circle = p + 0.05 * np.array([0.0, np.sin(0.04 * k), 1.0 - np.cos(0.04 * k)])
    step = problem.step(q, 0.01, {"left_hand": circle})
    q = step.q
    worst = max(worst, float(np.abs(carpal.fk(robot, q, "right_hand") - still).max()))
print(step)
print(f"the right hand moved by {1000 * worst:.1e} mm at most")
assert step.ok and worst < 1e-4
