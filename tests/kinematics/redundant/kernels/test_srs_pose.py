"""What a pose fixes before any arm angle: the line to the wrist, the elbow's triangle, the attitude seen along the line."""

import numpy as np
import pytest
from srs_robots import random_srs

import carpal
from carpal.kinematics.redundant.kernels import srs_pose as at
from carpal.kinematics.redundant.srs_class import require_srs
from carpal.spatial import rotation_about

Y, Z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def canonical(geometry, q):
    return q - geometry.numbers[at.OFFSET : at.OFFSET + 7]


def line(numbers, X):
    L = at.wrist_from_shoulder(numbers, tuple(X[:3, :3].ravel()), tuple(X[:3, 3]))
    return L, at.sight(numbers, L, 1.0, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_one_form_fits_every_arm(seed):
    """Shoulder Rz Ry Rz, elbow triangle and wrist Rz Ry Rz of the canonical angles give back the tool's pose."""
    model = random_srs(seed)
    geometry = require_srs(model)
    n = geometry.numbers
    rng = np.random.default_rng(seed)
    for q in rng.uniform(-3, 3, (20, 7)):
        t = canonical(geometry, q)
        X = carpal.fk(model, q)
        L, (length, ca, sa, cp, sp, over) = line(n, X)
        assert not over
        assert length == pytest.approx(np.linalg.norm(L))
        Q = rotation_about(Z, np.arctan2(sa, ca)) @ rotation_about(Y, np.arctan2(sp, cp))
        assert np.allclose(Q @ Z * length, L, atol=1e-12)
        code, c4, s4, one = at.elbow_triangle(n, length)
        assert code == at.REACHED and not one
        assert np.allclose((c4, s4), (np.cos(t[3]), abs(np.sin(t[3]))), atol=1e-9)
        ce, se, cm, sm = at.elbow_turns(n, np.cos(t[3]), np.sin(t[3]), np.sign(np.sin(t[3])))
        upper = rotation_about(Z, t[0]) @ rotation_about(Y, t[1]) @ rotation_about(Z, t[2])
        turned = Q.T @ upper @ rotation_about(Y, np.arctan2(se, ce))  # must be a turn about z: the arm angle
        assert np.allclose(turned[2], Z, atol=1e-9)
        psi = np.arctan2(turned[1, 0], turned[0, 0])
        assert psi == pytest.approx(float(carpal.arm_angle(model, q)), abs=1e-9)
        D = np.array(at.wrist_attitude(n, tuple(X[:3, :3].ravel()), ca, sa, cp, sp)).reshape(3, 3)
        wrist = rotation_about(Z, t[4]) @ rotation_about(Y, t[5]) @ rotation_about(Z, t[6])
        assert np.allclose(rotation_about(Y, np.arctan2(sm, cm)) @ rotation_about(Z, -psi) @ D, wrist, atol=1e-9)


def test_the_triangle_at_and_beyond_its_ends():
    geometry = require_srs(carpal.load("sia5"))
    near, far = geometry.reach
    n = geometry.numbers
    assert at.elbow_triangle(n, far + 1e-9)[0] == at.TOO_FAR
    assert at.elbow_triangle(n, near - 1e-9)[0] == at.TOO_NEAR
    assert at.elbow_triangle(n, far * (1 + 1e-13)) == (at.REACHED, 1.0, 0.0, True)
    assert at.elbow_triangle(n, near * (1 - 1e-13)) == (at.REACHED, -1.0, 0.0, True)
    code, c, s, one = at.elbow_triangle(n, 0.5 * (near + far))
    assert code == at.REACHED and not one and c * c + s * s == pytest.approx(1, abs=1e-15)


def test_equal_links_folded_flat_have_a_direction_all_the_same():
    n = require_srs(carpal.load("srs7")).numbers
    assert at.elbow_triangle(n, 0.0)[0] == at.REACHED and not at.elbow_triangle(n, 0.0)[3]
    for side in (1.0, -1.0):
        flat = at.elbow_turns(n, -1.0, 0.0, side)
        bent = at.elbow_turns(n, np.cos(np.pi - 1e-7), side * np.sin(np.pi - 1e-7), side)
        assert np.allclose(flat, bent, atol=1e-6)


def test_over_the_first_axis_the_azimuth_is_kept():
    n = require_srs(carpal.load("srs7")).numbers
    assert at.sight(n, (1e-13, 0.0, 0.4), 0.6, 0.8) == (pytest.approx(0.4), 0.6, 0.8, 1.0, 0.0, True)
    assert at.sight(n, (0.0, 0.0, -0.4), 0.6, 0.8)[3:] == (-1.0, 0.0, True)
    assert at.sight(n, (1e-9, 0.0, 0.4), 0.6, 0.8)[1:3] == (1.0, 0.0)


def test_what_is_a_pose():
    R, p = tuple(np.eye(3).ravel()), (0.1, 0.2, 0.3)
    assert at.is_pose(R, p)
    assert not at.is_pose(tuple(2 * np.eye(3).ravel()), p)
    assert not at.is_pose(tuple(np.diag([1.0, 1.0, -1.0]).ravel()), p)
    assert not at.is_pose(R, (np.nan, 0.0, 0.0)) and not at.is_pose(R, (np.inf, 0.0, 0.0))
    assert not at.is_pose(R, (1e160, 0.0, 0.0))
    assert not at.is_pose((np.nan, *R[1:]), p)
