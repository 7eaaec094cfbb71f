"""The error budget against drawn errors, and what it refuses."""

import numpy as np
from retrieve_inputs import RELAY_AT, stored

from carpal.labs.retrieve import RELAY, grasp_budget, relay_pose
from carpal.labs.retrieve.relay.error_budget import TOLERANCE
from carpal.labs.retrieve.relay.held_relay import gripper_poses
from carpal.labs.retrieve.scene import free_arm
from carpal.labs.retrieve.simulation.world import RESOLUTION
from carpal.spatial import inverse, rotation_about

MODEL = free_arm().model
Q = stored().move("grasp").trajectory.q_end
X_WO = relay_pose(*RELAY_AT)
COVARIANCE = np.diag([3e-4, 4e-4, 5e-4, 2e-3, 3e-3, 4e-3]) ** 2


def test_it_is_what_drawn_errors_make(figure):
    """Three deviations of the worst sideways direction, by drawing poses and offsets with NumPy."""
    rng = np.random.default_rng(0)
    n = 4000
    budget = grasp_budget(MODEL, Q, X_WO, COVARIANCE)
    shifts = rng.multivariate_normal(np.zeros(6), COVARIANCE, n)
    lever = X_WO[:3, :3] @ (RELAY.grip_point + np.array([0.005, 0, 0]))
    points = np.array(
        [
            s[:3] + (rotation_about(s[3:] / np.linalg.norm(s[3:]), float(np.linalg.norm(s[3:]))) - np.eye(3)) @ lever
            for s in shifts
        ]
    )
    tips = (
        gripper_poses(MODEL, Q + rng.uniform(-0.5, 0.5, (n, 5)) * RESOLUTION)[:, :3, 3] - gripper_poses(MODEL, Q)[:3, 3]
    )
    for drawn, aside, up, what in (
        (points, budget.pose_aside, budget.pose_up, "pose"),
        (tips, budget.joints_aside, budget.joints_up, "joints"),
    ):
        worst = 3 * np.sqrt(np.linalg.eigvalsh(np.cov(drawn[:, :2].T))[-1])
        figure(f"error budget, {what}: sideways over what is drawn, away from 1", abs(aside / worst - 1), 0.05)
        figure(f"error budget, {what}: up over what is drawn, away from 1", abs(up / (3 * drawn[:, 2].std()) - 1), 0.05)
    assert np.linalg.norm(tips[:, :2], axis=1).max() <= budget.joints_worst * (1 + 1e-3)


def test_it_tolerates_a_good_pose_and_refuses_a_bad_one():
    good = grasp_budget(MODEL, Q, X_WO, COVARIANCE * 0.1)
    assert good and good.aside < TOLERANCE and "are tolerated" in str(good)
    bad = grasp_budget(MODEL, Q, X_WO, COVARIANCE * 100)
    assert not bad and "new images" in bad.status
    aside = grasp_budget(MODEL, Q, X_WO, np.diag([4e-3, 4e-3, 1e-5, 0, 0, 0]) ** 2)
    assert not aside and "are too large" in aside.status
    assert [row[0] for row in good.rows()][-2:] == ["together", "tolerated"] and inverse(X_WO).shape == (4, 4)
