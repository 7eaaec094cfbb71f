import itertools

import numpy as np

import carpal
from carpal.kinematics import arm_angle_intervals, random_configurations, trace_self_motion
from carpal.kinematics.redundant.elbow_points import elbow_angle
from carpal.kinematics.redundant.self_motion_arcs import cut_arcs, joint_margins, point_on, points_at
from carpal.kinematics.redundant.self_motion_curves import wrap

SAWYER, SIA5 = carpal.load("sawyer"), carpal.load("sia5")


def test_arcs_are_monotone_and_cover_their_curves():
    X = carpal.fk(SAWYER, random_configurations(SAWYER, 1, seed=11)[0])
    motion = trace_self_motion(SAWYER, X)
    arcs = cut_arcs(motion)
    for k, curve in enumerate(motion.curves):
        mine = [arc for arc in arcs if arc.curve == k]
        length = sum(np.linalg.norm(np.diff(arc.q, axis=0), axis=1).sum() for arc in mine)
        assert abs(length - curve.length) < 1e-3 * curve.length
    for arc in arcs:
        assert (np.diff(arc.psi) >= 0).all()
        assert np.abs(wrap(elbow_angle(SAWYER, arc.q) - arc.psi)).max() < 1e-9
        assert np.abs(carpal.fk(SAWYER, arc.q) - X).max() < 1e-11
        ends = [(p.low, p.high) for p in arc.pieces]
        assert all(abs(a[1] - b[0]) < 1e-9 for a, b in itertools.pairwise(ends))


def test_pieces_are_cut_where_limits_are_crossed():
    for q in random_configurations(SAWYER, 5, seed=12):
        motion = trace_self_motion(SAWYER, carpal.fk(SAWYER, q))
        for arc in cut_arcs(motion):
            for piece in arc.pieces:
                for at, end in ((piece.at_low, piece.q_low), (piece.at_high, piece.q_high)):
                    if " of " in at:
                        side, name = at.split(" of ")
                        i = SAWYER.joint_names.index(name)
                        assert abs(wrap(end[i] - getattr(SAWYER, side)[i])) < 1e-9
                share = np.linspace(0.001, 0.999, 7)
                inner = np.array([point_on(motion, arc, piece.low + s * (piece.high - piece.low)) for s in share])
                inside = (joint_margins(SAWYER, inner) >= 0).all(1)
                assert inside.all() if not piece.violated else not inside.any()


def test_traced_cuts_equal_the_closed_forms_intervals(figure):
    """On an SRS arm both methods answer the same question; their interval ends are the same configurations."""
    worst = 0.0
    for q in random_configurations(SIA5, 6, seed=13):
        X = carpal.fk(SIA5, q)
        traced = [p for arc in cut_arcs(trace_self_motion(SIA5, X)) for p in arc.pieces if not p.violated]
        exact = list(arm_angle_intervals(SIA5, X))
        assert len(traced) == len(exact)
        ends = np.array([end for p in traced for end in (p.q_low, p.q_high)])
        for interval in exact:
            code = sum(1 << bit for bit, sign in enumerate(interval.branch) if sign < 0)
            for psi in (interval.low, interval.high):
                solved = carpal.ik_all(SIA5, X, arm_angle=psi)
                row = solved.q[list(solved.branch).index(code)]
                worst = max(worst, float(np.abs(wrap(ends - row)).max(1).min()))
    figure("sia5: ends of traced intervals against the closed form [rad]", worst, 1e-6)


def test_points_at_an_arm_angle():
    q = random_configurations(SAWYER, 1, seed=14)[0]
    X = carpal.fk(SAWYER, q)
    motion = trace_self_motion(SAWYER, X)
    psi = float(elbow_angle(SAWYER, q))
    points, _ = points_at(motion, cut_arcs(motion), psi)
    assert np.abs(wrap(points - q)).max(1).min() < 1e-9
    assert np.abs(wrap(elbow_angle(SAWYER, points) - psi)).max() < 1e-9
    apart = np.abs(wrap(points[:, None] - points[None])).max(-1) + 10 * np.eye(len(points))
    assert apart.min() > 1e-6  # no duplicates


def test_margins():
    q = np.array([SAWYER.q_max, SAWYER.q_min, 0.5 * (SAWYER.q_min + SAWYER.q_max) + 2 * np.pi])
    margin = joint_margins(SAWYER, q)
    assert np.allclose(margin[0, :6], 0)
    assert np.allclose(margin[1, :6], 0)
    assert np.allclose(margin[2], 0.5 * (SAWYER.q_max - SAWYER.q_min))
