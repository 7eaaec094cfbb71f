"""Charts against finite differences of their own points and normals, and against the closed forms of a sphere."""

import numpy as np
import pytest

from carpal.contact.kernels.charts import CHART_EDGE, chart_left, coordinates_of, has_charts, off_surface, surface_at
from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE

SURFACES = {
    "plane": (PLANE, (0.0, 0.0, 0.0), (0,)),
    "cylinder": (CYLINDER, (0.3, 2.0, 0.0), (0,)),
    "sphere": (SPHERE, (0.7, 0.0, 0.0), (0, 1, 2)),
    "ellipsoid": (ELLIPSOID, (0.9, 0.5, 0.3), (0, 1, 2)),
}


def at(kind, size, chart, u, v):
    p, x, y, z, (m11, m12, m22), (k11, k12, k22), T = surface_at(kind, size, chart, float(u), float(v))
    M, K = np.array([[m11, m12], [0.0, m22]]), np.array([[k11, k12], [k12, k22]])
    return np.array(p), np.array([x, y, z]).T, M, K, np.array(T)


def random_places(seed, count=40):
    rng = np.random.default_rng(seed)
    return np.stack([rng.uniform(-1.2, 1.2, count), rng.uniform(-3, 3, count)], -1)


@pytest.mark.parametrize("name", SURFACES)
def test_metric_curvature_and_torsion_are_the_derivatives(name, figure):
    kind, size, charts = SURFACES[name]
    h, worst = 1e-5, 0.0
    for chart in charts:
        for u, v in random_places(chart):
            _, R, M, K, T = at(kind, size, chart, u, v)
            assert np.abs(R.T @ R - np.eye(3)).max() < 1e-13 and np.linalg.det(R) > 0
            ahead = [at(kind, size, chart, u + h, v), at(kind, size, chart, u, v + h)]
            back = [at(kind, size, chart, u - h, v), at(kind, size, chart, u, v - h)]
            dp = np.array([(a[0] - b[0]) / (2 * h) for a, b in zip(ahead, back, strict=True)]).T
            dx, dz = (
                np.array([(a[1][:, i] - b[1][:, i]) / (2 * h) for a, b in zip(ahead, back, strict=True)]).T
                for i in (0, 2)
            )
            worst = max(
                worst,
                np.abs(R[:, :2].T @ dp - M).max(),
                np.abs(R[:, 2] @ dp).max(),
                np.abs(R[:, :2].T @ dz - K @ M).max() * min(1.0, min(s for s in (*size, 1.0) if s > 0)),
                np.abs(R[:, 1] @ dx - T @ M).max(),
            )
    figure(f"{name}: metric, curvature and torsion off finite differences", worst, 1e-8)


def test_normals_point_outwards():
    for kind, size, charts in SURFACES.values():
        for chart in charts:
            for u, v in random_places(7):
                p, R, *_ = at(kind, size, chart, u, v)
                outwards = {PLANE: R[:, 2] @ [0, 0, 1], CYLINDER: R[:2, 2] @ p[:2]}.get(kind, R[:, 2] @ p)
                assert outwards > 0


def test_a_sphere_has_the_forms_of_chan_appendix_a(figure):
    r, worst = 0.7, 0.0
    for u, v in random_places(3):
        p, _, M, K, T = at(SPHERE, (r, 0.0, 0.0), 0, u, v)
        expected = r * np.array([np.sin(u), np.cos(u) * np.sin(v), np.cos(u) * np.cos(v)])
        off = (p - expected, M - np.diag([r, r * np.cos(u)]), K - np.eye(2) / r, T - [0, -np.tan(u) / r])
        worst = max(worst, *(np.abs(part).max() for part in off))
    figure("sphere: chart, metric, curvature, torsion off Chan 1998, A.2 to A.5", worst, 1e-13)


@pytest.mark.parametrize("name", SURFACES)
def test_every_point_is_found_again_in_a_chart_far_from_its_poles(name, figure):
    kind, size, charts = SURFACES[name]
    worst, seen = 0.0, set()
    for chart in charts:
        for u, v in random_places(11, 60):
            p = at(kind, size, chart, u, v)[0]
            found = coordinates_of(kind, size, tuple(p))
            seen.add(found[0])
            assert not chart_left(kind, found[1])
            worst = max(worst, np.abs(at(kind, size, *found)[0] - p).max())
    assert seen == set(charts)
    figure(f"{name}: point to chart and back [m]", worst, 1e-14)


def test_poles_of_one_chart_lie_well_inside_another():
    for axis in range(3):
        p = [0.0, 0.0, 0.0]
        p[axis] = 0.7
        chart, u, _ = coordinates_of(SPHERE, (0.7, 0.0, 0.0), tuple(p))
        assert chart != axis and abs(u) < 1e-15
    assert chart_left(SPHERE, CHART_EDGE + 0.01) and not chart_left(PLANE, 5.0)


def test_a_cylinder_ends_and_some_kinds_have_no_chart():
    assert off_surface(CYLINDER, (0.3, 2.0, 0.0), -2.001) and not off_surface(CYLINDER, (0.3, 2.0, 0.0), 1.999)
    assert not off_surface(PLANE, (0.0, 0.0, 0.0), 1e9)
    assert [has_charts(kind) for kind in (SPHERE, PLANE, CYLINDER, ELLIPSOID, BOX, CAPSULE)] == [True] * 4 + [False] * 2
