"""Curvatures against closed forms, against the charts, and against the shape of the surface itself."""

import numpy as np

from carpal.contact.kernels.charts import coordinates_of, surface_at
from carpal.contact.kernels.curvature import EDGE, NO_FORM, SMOOTH, curvature_batch
from carpal.contact.kernels.kinds import BOX, CAPSULE, CONVEX, CYLINDER, ELLIPSOID, PLANE, SPHERE

RADII = np.array([0.9, 0.5, 0.3])


def curvature(kind, size, points):
    points = np.array(points, float, ndmin=2)
    out = np.empty((len(points), 12))
    bad = curvature_batch(kind, np.array(size, float), points, out, 0, len(points), 1, 0)
    return bad, out[:, 0], out[:, 1:3], out[:, 3:9].reshape(-1, 2, 3), out[:, 9:12]


def ellipsoid_points(count, seed=0):
    e = np.random.default_rng(seed).normal(size=(count, 3))
    return RADII * e / np.linalg.norm(e, axis=1, keepdims=True)


def test_an_ellipsoid_has_gauss_and_mean_curvature_of_the_closed_forms(figure):
    p = ellipsoid_points(500)
    bad, status, k, t, n = curvature(ELLIPSOID, RADII, p)
    s = (p**2 / RADII**4).sum(1)
    gauss = 1 / (RADII.prod() ** 2 * s**2)
    mean = (RADII**2).sum() - (p**2).sum(1)
    mean = mean / (2 * RADII.prod() ** 2 * s**1.5)
    assert bad == 0 and (status == SMOOTH).all() and (k[:, 0] >= k[:, 1]).all()
    figure("ellipsoid: Gauss curvature off its closed form, relative", np.abs(k.prod(1) / gauss - 1).max(), 1e-12)
    figure("ellipsoid: mean curvature off its closed form, relative", np.abs(k.mean(1) / mean - 1).max(), 1e-12)
    assert np.abs(np.cross(t[:, 0], t[:, 1]) - n).max() < 1e-14
    assert np.abs(n - p / RADII**2 / np.sqrt(s)[:, None]).max() < 1e-14


def test_directions_are_those_in_which_the_normal_turns_along_itself(figure):
    """dn along a principal direction is k times that direction: finite differences of the gradient's direction."""
    p = ellipsoid_points(200, 1)
    _, _, k, t, _ = curvature(ELLIPSOID, RADII, p)
    h, worst = 1e-6, 0.0
    for i in (0, 1):
        n = []
        for sign in (1, -1):
            g = (p + sign * h * t[:, i]) / RADII**2
            n.append(g / np.linalg.norm(g, axis=1, keepdims=True))
        worst = max(worst, np.abs((n[0] - n[1]) / (2 * h) - k[:, i : i + 1] * t[:, i]).max() / k.max())
    figure("ellipsoid: normal's turning off k t, relative", worst, 1e-8)


def test_charts_and_formulas_agree(figure):
    worst = 0.0
    for p in ellipsoid_points(50, 2):
        K = surface_at(ELLIPSOID, tuple(RADII), *coordinates_of(ELLIPSOID, tuple(RADII), tuple(p)))[5]
        _, _, k, _, _ = curvature(ELLIPSOID, RADII, p)
        worst = max(worst, np.abs(np.linalg.eigvalsh([[K[0], K[1]], [K[1], K[2]]])[::-1] / k[0] - 1).max())
    figure("ellipsoid: curvature of the chart off the formula, relative", worst, 1e-12)


def test_an_umbilic_point_has_two_equal_curvatures_and_directions():
    """At the four umbilics of a > b > c: x = a sqrt((a2 - b2)/(a2 - c2)), z = c sqrt((b2 - c2)/(a2 - c2))."""
    a, b, c = RADII
    x, z = a * np.sqrt((a * a - b * b) / (a * a - c * c)), c * np.sqrt((b * b - c * c) / (a * a - c * c))
    _, status, k, t, _ = curvature(ELLIPSOID, RADII, [[x, 0, z], [-x, 0, -z]])
    assert (status == SMOOTH).all() and np.abs(k - a * c / b**3).max() < 1e-12
    assert np.abs(np.einsum("nij,nkj->nik", t, t) - np.eye(2)).max() < 1e-14


def test_round_and_flat_pieces():
    s = np.sqrt(0.5)
    for kind, size, p, expected, normal in (
        (SPHERE, (0.5, 0, 0), (0, 0.5, 0), (2, 2), (0, 1, 0)),
        (PLANE, (0, 0, 0), (3, 4, 0), (0, 0), (0, 0, 1)),
        (CYLINDER, (0.25, 1, 0), (0.25 * s, 0.25 * s, 0.3), (4, 0), (s, s, 0)),
        (CYLINDER, (0.25, 1, 0), (0.1, 0, -1), (0, 0), (0, 0, -1)),
        (CAPSULE, (0.25, 1, 0), (0, -0.25, 1), (4, 0), (0, -1, 0)),
        (CAPSULE, (0.25, 1, 0), (0.25 * s, 0, 1 + 0.25 * s), (4, 4), (s, 0, s)),
        (CAPSULE, (0.25, 1, 0), (0.25 * s, 0, -1 - 0.25 * s), (4, 4), (s, 0, -s)),
        (BOX, (1, 2, 3), (-1, 0.3, 0.4), (0, 0), (-1, 0, 0)),
        (BOX, (1, 2, 3), (0.3, 2, 0.4), (0, 0), (0, 1, 0)),
        (BOX, (1, 2, 3), (0.3, 0.4, -3), (0, 0), (0, 0, -1)),
    ):
        bad, status, k, t, n = curvature(kind, size, p)
        assert bad == 0 and status[0] == SMOOTH
        assert np.allclose(k[0], expected, rtol=0, atol=1e-14) and np.allclose(n[0], normal, rtol=0, atol=1e-15)
        assert np.allclose(np.cross(t[0, 0], t[0, 1]), n[0], rtol=0, atol=1e-14)
    assert np.allclose(curvature(CYLINDER, (0.25, 1, 0), (0.25, 0, 0))[3][0, 1], (0, 0, 1))


def test_edges_middles_meshes_and_nan():
    assert curvature(CYLINDER, (0.25, 1, 0), (0.25, 0, 1))[1][0] == EDGE
    assert curvature(BOX, (1, 2, 3), (1, 2, 0))[1][0] == curvature(BOX, (1, 2, 3), (-1, 2, 3))[1][0] == EDGE
    for kind, size in ((SPHERE, (1, 0, 0)), (ELLIPSOID, (1, 2, 3)), (CAPSULE, (1, 1, 0))):
        assert curvature(kind, size, (0, 0, 0))[1][0] == EDGE
    assert curvature(CONVEX, (0, 0, 0), (0, 0, 0))[1][0] == NO_FORM
    assert curvature(SPHERE, (1, 0, 0), [(0, 0, 1), (0, np.nan, 1)])[0] == 2
