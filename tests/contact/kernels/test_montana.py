"""Montana's equations as Chan (1998) writes them out, errata E6 and E8, and runs that must end with a reason."""

import numpy as np
import pytest

from carpal.contact.kernels.kinds import CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.contact.kernels.montana import (
    AT_POLE,
    IN_A,
    IN_B,
    IN_CONTACT,
    LEFT_A,
    LEFT_B,
    LINE_CONTACT,
    ROLLING,
    TOO_FAST,
    between_frames,
    contact_rates,
    roll_batch,
)

BALL, FLOOR = (SPHERE, (0.3, 0.0, 0.0)), (PLANE, (0.0, 0.0, 0.0))
ROD, EGG = (CYLINDER, (0.2, 1.0, 0.0)), (ELLIPSOID, (0.5, 0.4, 0.3))


def run(a, b, first, twist, steps=100, dt=0.01, axes=IN_A):
    twists = np.broadcast_to(np.array(twist, float), (1, 2 * steps + 1, 6)).copy()
    path, verdict = np.empty((1, steps + 1, 9)), np.empty((1, 2))
    first = np.array([first], float)
    sizes = np.array(a[1]), np.array(b[1])
    assert roll_batch(a[0], sizes[0], b[0], sizes[1], dt, axes, first, twists, path, verdict, 0, 1, 1, 0) == 0
    return path[0], int(verdict[0, 0]), int(verdict[0, 1])


def test_a_fingertip_on_a_plane_moves_as_appendix_a_says(figure):
    rng = np.random.default_rng(0)
    worst, r = 0.0, 0.3
    for _ in range(200):
        u, v, psi = rng.uniform(-1.2, 1.2), rng.uniform(-3, 3), rng.uniform(-3, 3)
        vx, vy, wx, wy, wz = rng.normal(size=5)
        c, s = np.cos(psi), np.sin(psi)
        # the finger relative to the object, in the finger's frame (E6); the kernel takes the object relative to the finger
        status, rates = contact_rates(
            *BALL, 0, *FLOOR, 0, (u, v, 0.4, -0.7, psi, 0.0, 0.0), (-vx, -vy, 0.0), (-wx, -wy, -wz), IN_CONTACT
        )
        a, b = vx - r * wy, vy + r * wx
        expected = (-wy, wx / np.cos(u), c * a - s * b, -s * a - c * b, wz - wx * np.tan(u))
        assert status == ROLLING
        worst = max(worst, np.abs(np.array(rates[:5]) - expected).max())
    figure("sphere on plane: rates off Chan 1998, A.5", worst, 1e-13)


def test_the_two_tangent_frames_are_joined_by_a_rotation():
    """E8: with +1 in the corner, as printed, the determinant would be -1."""
    for psi in np.linspace(-3, 3, 13):
        R = np.array(between_frames(psi)).reshape(3, 3)
        assert abs(np.linalg.det(R) - 1) < 1e-15
        assert np.abs(R @ R - np.eye(3)).max() < 1e-15 and np.array_equal(R, R.T)
        assert R[2, 2] == -1.0


def test_the_same_twist_in_three_kinds_of_axes_gives_the_same_motion():
    """Straight down on a plane, A's axes are C's; B's axes are those of the ball as it stands."""
    first = [0, 0.1, 0.2, 0, 0.3, -0.4, 0.5]
    in_a, status, _ = run(FLOOR, BALL, first, [0.1, 0.2, 0, 0.3, -0.4, 0.2], axes=IN_A)
    in_c, _, _ = run(FLOOR, BALL, first, [0.1, 0.2, 0, 0.3, -0.4, 0.2], axes=IN_CONTACT)
    assert status == ROLLING and np.array_equal(in_a, in_c)
    one_a, _, _ = run(BALL, FLOOR, [*first[3:6], *first[:3], 0.5], [-0.1, 0.2, 0, 0.3, 0.4, 0.2], axes=IN_B)
    other, _, _ = run(FLOOR, BALL, first, [0.1, -0.2, 0, -0.3, -0.4, -0.2], axes=IN_A)
    # A and B exchanged, the relative twist turns its sign, and the floor's axes are B's
    assert np.abs(one_a[:, 1:3] - other[:, 4:6]).max() < 1e-14 and np.abs(one_a[:, 6] - other[:, 6]).max() < 1e-14


def test_rows_after_the_end_repeat_the_last_one_and_say_why():
    first = [0, 0.0, 0.9, 0, 0.0, 0.0, 0.0]
    path, status, done = run(ROD, BALL, first, [0, 0, 0, -1, 0, 0])
    assert status in (LEFT_A, ROLLING) and np.isfinite(path).all()
    path, status, done = run(ROD, BALL, first, [0, 0, 1.0, 0, 0, 0])
    assert status == LEFT_A and 0 < done < 100
    assert path[done, 2] <= 1.0 and np.array_equal(path[done:], np.repeat(path[done : done + 1], 101 - done, 0))
    path, status, done = run(BALL, ROD, [0, 0.0, 0.0, 0, 0.0, 0.9, 0.0], [0, 0, 0, 0, 0, 0.0])
    assert status == ROLLING and done == 100
    _, status, done = run(BALL, ROD, [0, 0.0, 0.0, 0, 0.0, 0.9, np.pi / 2], [5.0, 0, 0, 0, 0, 0], axes=IN_CONTACT)
    assert status == LEFT_B and done < 100


@pytest.mark.parametrize("pair", [(FLOOR, FLOOR), (ROD, FLOOR), (ROD, ROD)], ids=["planes", "rod on plane", "rods"])
def test_line_and_area_contacts_are_named(pair):
    psi = np.pi if pair == (ROD, ROD) else 0.0
    path, status, done = run(*pair, [0, 0.1, 0.1, 0, 0.1, 0.1, psi], [0.1, 0, 0, 0, 0.1, 0])
    assert status == LINE_CONTACT and done == 0 and np.isfinite(path).all()


def test_crossed_rods_touch_at_a_point():
    path, status, _ = run(ROD, ROD, [0, 0.1, 0.1, 0, 0.1, 0.1, 1.0], [0, 0, 0, 0.2, 0.3, 0.0], steps=20)
    assert status == ROLLING and np.abs(path[-1, 7] - path[-1, 8]) < 1e-14


def test_contact_axes_end_at_the_pole_and_too_long_steps_are_refused():
    first = [0, 1.0, 0.0, 0, 0.0, 0.0, 0.0]
    _, status, done = run(BALL, FLOOR, first, [0, 0, 0, 0, 1.0, 0], axes=IN_CONTACT)
    assert status == AT_POLE and 0 < done < 100
    _, status, done = run(BALL, FLOOR, first, [0, 0, 0, 0, 1.0, 0], axes=IN_B)
    assert status == ROLLING and done == 100
    _, status, _ = run(BALL, FLOOR, first, [0, 0, 0, 0, 100.0, 0], axes=IN_B)
    assert status == TOO_FAST
    path, status, _ = run(BALL, FLOOR, first, [1e200, 0, 0, 0, 0.0, 1e308], axes=IN_B, dt=1e10)
    assert status == TOO_FAST and np.isfinite(path).all()


def test_a_path_through_several_charts_keeps_arc_lengths_equal():
    """An egg rolled over a ball over poles of the charts of both: changing charts changes nothing else."""
    t = np.arange(4001)[:, None] * 0.005
    twist = np.hstack([0 * t, 0 * t, 0 * t, 3 * np.sin(0.3 * t), 3 * np.cos(0.2 * t), 2 * np.sin(0.1 * t)])
    path, status, _ = run(EGG, BALL, [0, 0.1, 0.2, 1, 0.3, 0.4, 0.5], twist, steps=2000)
    assert status == ROLLING
    changes = [np.count_nonzero(np.diff(path[:, column])) for column in (0, 3)]
    assert min(changes) >= 3, changes
    assert np.abs(path[:, 7] - path[:, 8]).max() < 1e-12
