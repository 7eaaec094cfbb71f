"""What the robot is: masses, joints, centres of mass, the coupling of the fingers' joints."""

import numpy as np
import pytest
from catch_inputs import random_arm

from carpal.kinematics import fk
from carpal.labs.catch import CatcherNumbers
from carpal.labs.catch.hand_geometry import FINGERS
from carpal.labs.catch.mechanism import arm_mechanism
from carpal.labs.catch.robot import LINKS, arm_bodies, arm_joints, coupled_angles, coupling
from carpal.model import load
from carpal.spatial import inverse

GRAVITY = np.array([0.0, -9.81, 0.0])
MASSES = (1.4, 1.3, 1.2, 0.3, 0.3, 0.4)  # Table 3.2: shoulder links 2 and 3, upper arm, elbow link, forearm, palm
MOMENTS = (
    (0.000703, 0.00124, 0.00132), (0.00235, 0.000893, 0.0029), (0.000219, 0.00783, 0.0079), (8.86e-5, 0.000382, 0.000384),
    (0.000105, 0.00116, 0.00124), (0.00026, 0.00045, 0.00068),
)  # fmt: skip


def test_masses_and_inertias_are_the_tables():
    made = arm_bodies(CatcherNumbers())
    assert tuple(body.name for body in made) == LINKS
    for body, mass, moments in zip(made, MASSES, MOMENTS, strict=True):
        assert body.inertia.mass == mass
        assert np.allclose(sorted(np.linalg.eigvalsh(body.inertia.about_com)), sorted(moments), rtol=1e-12)


@pytest.mark.parametrize("q", random_arm(5))
def test_hinges_lie_on_the_axes_of_the_catalogues_arm(q):
    """Every hinge's two points coincide in both bodies and span the joint's axis, found by turning one joint in fk."""
    arm = load("catcher_arm")
    made = arm_mechanism(q, CatcherNumbers(), GRAVITY)
    where = {body.name: body.X_WB for body in made.bodies} | {None: np.eye(4)}
    assert np.abs(where["palm"] - fk(arm, q)).max() < 1e-12
    for i in range(6):
        turned = q.copy()
        turned[i] += 0.3
        moved = arm_mechanism(turned, CatcherNumbers(), GRAVITY).bodies[i].X_WB @ inverse(where[LINKS[i]])
        ends = []
        for joint in made.joints[2 * i : 2 * i + 2]:
            at = [where[side] @ [*p, 1.0] for side, p in ((joint.a, joint.p_AP), (joint.b, joint.p_BP))]
            assert np.abs(at[0] - at[1]).max() < 1e-12
            assert np.abs(moved @ at[0] - at[0]).max() < 1e-12  # a point of the axis stays
            ends.append(at[0][:3])
        assert abs(np.linalg.norm(ends[1] - ends[0]) - CatcherNumbers().arm_span) < 1e-12


def test_centres_of_mass_lie_the_given_share_of_the_way():
    joints = [body.joint for body in arm_joints()]
    for share in (0.4, 0.5, 0.6):
        made = arm_bodies(CatcherNumbers(com_share=share))
        for i in range(5):
            start, end = inverse(joints[i].X_JB)[:3, 3], joints[i + 1].X_PJ[:3, 3]
            assert np.abs(made[i].inertia.com - (start + share * (end - start))).max() < 1e-12


@pytest.mark.parametrize("finger", FINGERS)
def test_polynomials_follow_the_curve(finger, figure):
    coefficients, worst = coupling(finger)
    figure(f"{finger}: coupling polynomial off the exact curve [deg]", np.degrees(worst), 0.2)
    angles = coupled_angles(finger, np.linspace(0.027, 0.010, 37))
    for joint, c in enumerate(coefficients, start=1):
        ours = sum(value * angles[:, 0] ** power for power, value in enumerate(c))
        assert np.abs(ours - angles[:, joint]).max() <= worst + 1e-6
