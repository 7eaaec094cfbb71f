"""Contact coordinates and relative pose: two descriptions of how two bodies touch at a point.

Contact coordinates are (chart, u, v) on A, (chart, u, v) on B and the spin psi between the two tangent frames; the pose
of B in A follows from them, since the points coincide and R_CaCb is known (Montana 1988; Chan 1998, 2.2.2 with E8).
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.charts import coordinates_of, surface_at
from carpal.contact.kernels.frames import vector_in
from carpal.contact.kernels.montana import CHART_A, CHART_B, SPIN, U_A, U_B, V_A, V_B, between_frames
from carpal.spatial.kernels.vec3 import dot, product, rotate, rotate_back, sub


@leaf
def columns(x, y, z):
    """A matrix (9 numbers) from its columns."""
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@leaf
def rows(x, y, z):
    """The transpose of `columns`."""
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@kernel
def contact_pose(kind_a, size_a, chart_a, u_a, v_a, kind_b, size_b, chart_b, u_b, v_b, psi):
    """(R_AB, p_AB, contact point in A, contact point in B, tangent frame R_AC)."""
    p_a, xa, ya, za, _, _, _ = surface_at(kind_a, size_a, chart_a, u_a, v_a)
    p_b, xb, yb, zb, _, _, _ = surface_at(kind_b, size_b, chart_b, u_b, v_b)
    R_AC = columns(xa, ya, za)
    R_AB = product(product(R_AC, between_frames(psi)), rows(xb, yb, zb))
    return R_AB, sub(p_a, rotate(R_AB, p_b)), p_a, p_b, R_AC


@kernel
def contact_coordinates(kind_a, size_a, p_a, kind_b, size_b, p_b, R_AB):
    """(chart_a, u_a, v_a, chart_b, u_b, v_b, psi, off_a, off_b, cosine).

    p_a in A and p_b in B are the touching points; `off` is how far each lies from its surface along no matter what [m],
    and `cosine` that of the angle between the two outward normals: -1 for a true contact.
    """
    chart_a, u_a, v_a = coordinates_of(kind_a, size_a, p_a)
    chart_b, u_b, v_b = coordinates_of(kind_b, size_b, p_b)
    on_a, xa, ya, za, _, _, _ = surface_at(kind_a, size_a, chart_a, u_a, v_a)
    on_b, xb, yb, zb, _, _, _ = surface_at(kind_b, size_b, chart_b, u_b, v_b)
    x, y, z = rotate(R_AB, xb), rotate(R_AB, yb), rotate(R_AB, zb)
    psi = math.atan2(-dot(xa, y) - dot(ya, x), dot(xa, x) - dot(ya, y))
    off_a, off_b = sub(on_a, p_a), sub(on_b, p_b)
    return (
        float(chart_a), u_a, v_a, float(chart_b), u_b, v_b, psi,
        math.sqrt(dot(off_a, off_a)), math.sqrt(dot(off_b, off_b)), dot(za, z),
    )  # fmt: skip


@entry
def contact_pose_batch(kind_a, size_a, kind_b, size_b, given, X, p_A, p_B, R_AC, start, stop, stride, slot):
    """`contact_pose` over worlds: given (7); X_AB (4, 4), p_A (3), p_B (3), R_AC (3, 3)."""
    a, b = (size_a[0], size_a[1], size_a[2]), (size_b[0], size_b[1], size_b[2])
    for world in range(start, stop, stride):
        R, p, on_a, on_b, frame = contact_pose(
            kind_a, a, int(given[world, CHART_A]), given[world, U_A], given[world, V_A],
            kind_b, b, int(given[world, CHART_B]), given[world, U_B], given[world, V_B], given[world, SPIN],
        )  # fmt: skip
        for i in range(3):
            for j in range(3):
                X[world, i, j] = R[3 * i + j]
                R_AC[world, i, j] = frame[3 * i + j]
            X[world, i, 3], p_A[world, i], p_B[world, i] = p[i], on_a[i], on_b[i]
            X[world, 3, i] = 0.0
        X[world, 3, 3] = 1.0
    return 0


@entry
def contact_coordinates_batch(kind_a, size_a, kind_b, size_b, X, p, out, start, stop, stride, slot):
    """`contact_coordinates` over worlds: X_AB (16), touching point in A (3); out (10)."""
    a, b = (size_a[0], size_a[1], size_a[2]), (size_b[0], size_b[1], size_b[2])
    for world in range(start, stop, stride):
        R = (
            X[world, 0], X[world, 1], X[world, 2], X[world, 4], X[world, 5], X[world, 6], X[world, 8], X[world, 9],
            X[world, 10],
        )  # fmt: skip
        p_a = vector_in(p, world, 0)
        p_b = rotate_back(R, sub(p_a, (X[world, 3], X[world, 7], X[world, 11])))
        found = contact_coordinates(kind_a, a, p_a, kind_b, b, p_b, R)
        for i in range(10):
            out[world, i] = found[i]
    return 0
