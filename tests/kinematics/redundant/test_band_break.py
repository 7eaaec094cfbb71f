import numpy as np

import carpal
from carpal.kinematics import PosePath, arm_angle_band
from carpal.kinematics.redundant.band_break import bisect_gap, explain_start
from carpal.kinematics.redundant.band_steps import BandOptions, best_path
from carpal.spatial import pose_from_xyz_rpy

SIA5 = carpal.load("sia5")
Q = np.array([0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
X = carpal.fk(SIA5, Q)
GOAL = pose_from_xyz_rpy((0.35, 0.25, 0.5), (0, 2.5, 1.0))
OPTIONS = BandOptions(SIA5, "tool", "middle", None, 0.005, 0.15)


def _best_margin(X_WT, code):
    """The largest distance from the limits of any arm angle of a branch, by plain sampling, and the joints nearest to theirs."""
    psi = np.linspace(-np.pi, np.pi, 7201)
    solved = carpal.ik_all(SIA5, X_WT, arm_angle=psi)
    rows = np.argmax(solved.branch == code, axis=1)
    q = solved.q[np.arange(len(psi)), rows]
    q = q[(solved.branch == code).any(axis=1)]
    off = np.remainder(q - 0.5 * (SIA5.q_min + SIA5.q_max) + np.pi, 2 * np.pi) - np.pi
    margins = 0.5 * (SIA5.q_max - SIA5.q_min) - np.abs(off)
    best = int(np.argmax(margins.min(1)))
    order = np.argsort(margins[best])
    return float(margins[best].min()), [SIA5.joint_names[j] for j in order[:2]]


def test_a_band_that_closes_names_the_moment_and_the_joints(figure):
    """Checked by sampling all arm angles of the branch a little before and a little after."""
    band = arm_angle_band(SIA5, PosePath.line(X, GOAL, 2.0))
    assert not band
    b = band.broken
    assert b.cause == "limit"
    signs = carpal.ik_all(SIA5, band.path.X_WT[len(band.q) - 1], arm_angle=band.psi[-1])
    code = int(signs.branch[np.argmin(np.abs(signs.q - band.q[-1]).max(1))])
    path = PosePath.line(X, GOAL, 2.0)
    before, _ = _best_margin(path.at(b.time - 0.004), code)
    after, joints = _best_margin(path.at(b.time + 0.004), code)
    assert before > 0.005 > after
    assert set(b.joints) == set(joints) == {"b", "t"}
    assert b.status.startswith("the band breaks at t = 1.") and "q_min of b and q_min of t" in b.status
    assert b.fraction == b.time / 2
    low, high = b.time - 0.004, b.time + 0.004
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _best_margin(path.at(middle), code)[0] > 0.005 else (low, middle)
    figure("sia5: moment of a break against dense sampling [s]", abs(b.time - low), 2e-4)


def test_out_of_reach_names_the_shortfall():
    Y = X.copy()
    Y[:3, 3] += (0.0, 0.25, -0.1)
    band = arm_angle_band(SIA5, PosePath.line(X, Y, 2.0))
    assert band.broken.cause == "reach" and band.broken.joints == ()
    assert "out of reach by 0.005" in band.status
    geometry = carpal.kinematics.srs_geometry(SIA5)

    def distance(t):
        Z = PosePath.line(X, Y, 2.0).at(t)
        return np.linalg.norm(Z[:3, 3] - 0.145 * Z[:3, 2] - (0, 0, 0.31))

    assert abs(distance(band.broken.time) - geometry.reach[1]) < 1e-4  # the wrist's distance is the arm's length there


def test_an_elbow_that_is_too_low():
    band = arm_angle_band(SIA5, PosePath.line(X, GOAL, 2.0), elbow_above=0.56)
    assert not band and band.broken.cause == "height"
    assert "below 0.56 m" in band.status
    none = arm_angle_band(SIA5, PosePath.line(X, GOAL, 2.0), elbow_above=2.0)
    assert none.broken.time == 0 and none.broken.cause == "height"
    assert none.status.startswith("no path even at the start of the path")


def test_a_start_elsewhere_is_reported():
    away = explain_start(OPTIONS, PosePath.line(X, GOAL), OPTIONS.cut(X), Q + 1.0)
    assert away.cause == "start" and "q0 is not within 0.15 rad" in away.status


def test_a_whole_turn_too_many_is_reported():
    """Turning the tool on and on about the last axis ends at that joint's limit, whatever the elbow does."""
    arm = carpal.load("srs7")
    q = np.array([0.2, 0.7, 0.1, 1.0, 0.3, 0.8, 0.0])
    start = carpal.fk(arm, q)
    poses = [start @ pose_from_xyz_rpy((0, 0, 0), (0, 0, angle)) for angle in np.linspace(0, 5.0, 6)]
    band = arm_angle_band(arm, poses, np.linspace(0, 5.0, 6), q0=q, prefer="speed")
    assert not band
    assert band.broken.cause in ("turn", "limit")
    assert 2.9 < band.broken.time < 4.7  # q7 alone would reach pi at 3.14; the elbow may give a little more


def test_more_poses_lead_over_where_joints_move_fast():
    Y = X.copy()
    Y[:3, 3] += (0.0, 0.25, -0.1)
    path = PosePath.line(X, Y, 2.0).denser()
    cuts = [OPTIONS.cut(x) for x in path.X_WT]
    chain, front = best_path(OPTIONS, path, cuts, None)
    gap = bisect_gap(OPTIONS, path, cuts[len(chain)], len(chain), front)
    assert gap.bridge  # near the stretched elbow 20 mm ask for more than max_step
    assert all(path.time[len(chain) - 1] < t < path.time[len(chain)] for t, _ in gap.bridge)
