"""Thesis 1's catch poses: reached by following a path from the start pose, and why one shot is not enough (E1, E13)."""

import numpy as np
import pytest

import carpal
from carpal.kinematics import follow, manipulability
from carpal.spatial import pose, rotation_from_zxz, zxz_from_rotation

HALF = np.sqrt(0.5)
CATCH = np.array([[0, -1, 0], [-HALF, 0, HALF], [-HALF, 0, -HALF]])  # columns: fingers, side of the palm, palm normal
STEPS, TOLERANCE, WIDE = 150, 2.5e-4, 0.12
# facts: joint angles [deg] and |det J| at six of the thirty points, by (column, row) of the grid
TABLE = {
    (0, 0): (13.6, -131.1, -103.8, -78.2, -50.3, 13.3, 0.0150),
    (0, 5): (85.6, -131.1, -88.4, -91.4, -49.0, -38.5, 0.0157),
    (2, 2): (45.9, -168.6, -98.3, -54.4, -14.1, -37.4, 0.0189),
    (2, 3): (60.3, -168.6, -97.3, -57.8, -13.6, -48.2, 0.0204),
    (4, 0): (15.5, 155.8, -80.0, -68.9, 26.0, 6.3, 0.0172),
    (4, 5): (85.5, 155.8, -88.0, -85.7, 24.3, -45.2, 0.0195),
}
ARM = carpal.load("catcher_arm")


def wrap(angle):
    return angle - 2 * np.pi * np.ceil((angle - np.pi) / (2 * np.pi))


def grid():
    """Catch poses (30, 4, 4), numbered column by column."""
    x, y = np.meshgrid(-0.10 + 0.1 * np.arange(5), -0.18 + 0.07 * np.arange(6), indexing="ij")
    p = np.stack([x, y, np.full_like(x, -0.35)], -1).reshape(30, 3)
    return pose(np.broadcast_to(CATCH, (30, 3, 3)), p)


def coordinates(X):
    """The thesis's six: (theta, phi, psi) and position."""
    return np.concatenate([zxz_from_rotation(X[..., :3, :3]), X[..., :3, 3]], -1)


def approach():
    """Poses (30, 150, 4, 4) along the cubic with zero end speeds in the six coordinates, each angle by its shorter way."""
    s = np.arange(1, STEPS + 1)[:, None] / STEPS
    start = coordinates(carpal.fk(ARM, ARM.q_home))
    way = coordinates(grid()) - start
    way[:, :3] = wrap(way[:, :3])
    x = start + (3 * s**2 - 2 * s**3) * way[:, None]
    return pose(rotation_from_zxz(x[..., :3]), x[..., 3:])


@pytest.mark.parametrize("difference", [0.0, WIDE], ids=["analytic", "0.12 rad"])
def test_thirty_catch_poses_by_following(difference, figure):
    which = (
        f"thesis 1, path following, {'analytic Jacobian' if not difference else 'Jacobian by differences of 0.12 rad'}"
    )
    path = approach()
    assert np.abs(path[:, -1] - grid()).max() < 1e-12
    result = follow(
        ARM,
        path,
        ARM.q_home,
        method="newton",
        position_tolerance=TOLERANCE,
        angle_tolerance=TOLERANCE,
        difference=difference,
        limits=False,
    )
    figure(f"{which}: points reached of 30", result.ok.sum(), 30, at_least=True, note=str(result))
    figure(f"{which}: most Newton iterations in a step", result.iterations.max(), 4)
    assert result.iterations.sum() > 0
    # truth by fk alone: a search that called anything ok would be found out
    X = carpal.fk(ARM, result.q)
    figure(f"{which}: largest position error [m]", np.linalg.norm((X - path)[..., :3, 3], axis=-1).max(), TOLERANCE)
    figure(f"{which}: largest entry of the rotation error", np.abs((X - path)[..., :3, :3]).max(), TOLERANCE)
    figure(f"{which}: smallest |det J| on all paths", manipulability(ARM, result.q).min(), 0.014, at_least=True)
    joints = np.concatenate([np.broadcast_to(ARM.q_home, (30, 1, 6)), result.q], axis=1)
    figure(f"{which}: largest joint step [rad]", np.abs(np.diff(joints, axis=1)).max(), 0.05, note=f"{STEPS} steps")
    final = result.q[:, -1].reshape(5, 6, 6)
    angles = max(np.abs(wrap(final[at] - np.radians(row[:6]))).max() for at, row in TABLE.items())
    figure(f"{which}: joint angles against the table of six points [deg]", np.degrees(angles), 0.1)
    dets = max(abs(manipulability(ARM, final[at]) - row[6]) for at, row in TABLE.items())
    figure(f"{which}: |det J| against the table of six points", dets, 1e-4)


def newton(goal, q, sign=-1.0, cap=50):
    """The thesis's loop in numpy for many goals at a time: largest residual (cap + 1, *batch), before and after each step."""
    goal, q = np.broadcast_arrays(goal, q)

    def residual(q, goal):
        f = coordinates(carpal.fk(ARM, q)) - goal
        f[..., :3] = wrap(f[..., :3])
        return f

    history = []
    for _ in range(cap + 1):
        f = residual(q, goal)
        history.append(np.abs(f).max(-1))
        rows = residual(q[..., None, :] + WIDE * np.eye(6), goal[..., None, :]) - f[..., None, :]  # by joint
        rows[..., :3] = wrap(rows[..., :3])
        step = np.linalg.solve(np.swapaxes(rows, -1, -2) / WIDE, f[..., None])[..., 0]
        q = np.where((history[-1] < TOLERANCE)[..., None], q, q + sign * step)
    return np.array(history)


def test_one_shot_is_not_enough(figure):
    """The count is chaotic: starts that differ by 1e-9 rad give other counts. So the median of 33 starts is compared."""
    starts = np.concatenate([np.zeros((1, 6)), 1e-9 * np.random.default_rng(0).normal(size=(32, 6))])
    starts = (ARM.q_home + starts)[:, None]
    counts = {"the thesis's rule in numpy": (newton(coordinates(grid()), starts)[-1] < TOLERANCE).sum(-1)}
    for cap in (50, 78):
        result = carpal.ik(
            ARM,
            np.broadcast_to(grid(), (33, 30, 4, 4)),
            np.broadcast_to(starts, (33, 30, 6)),
            method="newton",
            attempts=1,
            steps=cap,
            position_tolerance=TOLERANCE,
            angle_tolerance=TOLERANCE,
            difference=WIDE,
            limits=False,
        )
        counts[f"the kernel, {cap} iterations"] = result.ok.sum(-1)
    for which, count in counts.items():
        what = f"thesis 1, one shot from the start pose, 0.12 rad, {which}: reached of 30"
        note = (
            f"{count[0]} from the very start pose; {count.min()} to {count.max()} from 32 starts within 1e-9 rad of it: "
            "the 20 of erratum E13 is one draw"
        )
        figure(f"{what}, most", count.max(), 29, note=note)
        figure(f"{what}, median against 20", abs(np.median(count) - 20), 3, note=note)


def test_the_printed_sign_diverges(figure):
    """Erratum E1: dq = J^-1 f added instead of subtracted."""
    q = ARM.q_home + np.array([0.05, -0.04, 0.06, 0.05, -0.03, 0.04])
    goal = coordinates(carpal.fk(ARM, ARM.q_home))
    right, wrong = newton(goal, q, cap=4), newton(goal, q, sign=+1.0, cap=4)
    assert (np.diff(wrong) > 0).all()
    figure("thesis 1, E1: growth of the residual in four steps, printed sign", wrong[-1] / wrong[0], 8, at_least=True)
    figure("thesis 1, E1: residual after four steps, corrected sign", right[-1], TOLERANCE)
