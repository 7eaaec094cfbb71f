"""Contact frames, relative twists, grasp and hand Jacobian rows of one contact, all in world axes until the last step.

Chan 1998, 2.2 to 2.4, with its corrections: the twist is moved by [R, p~ R; 0, R] with R and p of the old frame seen from
the new one (E5); relative motion is object minus finger, at the contact point itself, turned into C once (E6); the
bracket of (2.15) and (2.16) holds the object's own twist (E7). Then for each contact

    V_C = G^T V_O - J_f v,   G^T = R_WC^T [1, -(p_C - p_O)~; 0, 1],   J_f = R_WC^T [J_v(p_C); J_w].

C has z along the normal n_AB (finger A, object B). Linear rows come first.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import COLUMNS, P_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import KIND, V_INDEX
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import add, cross, rotate_back, sub

SCRATCH = COLUMNS
TURNED_OVER = -0.8  # below that height of the normal the frame is built from the one that points down


@leaf
def contact_axes(n):
    """Axes x, y, z of a frame whose z is the unit vector n.

    The shortest turn from the upright frame, or from diag(1, -1, -1) for a normal that points steeply down: smooth all
    over but on the cone n_z = -0.8, and exact where n is a coordinate axis. (One frame smooth everywhere cannot exist.)
    """
    if n[2] >= TURNED_OVER:
        k = 1.0 / (1.0 + n[2])
        xy = -k * n[0] * n[1]
        return (1.0 - k * n[0] * n[0], xy, -n[0]), (xy, 1.0 - k * n[1] * n[1], -n[1]), n
    k = 1.0 / (1.0 - n[2])
    xy = k * n[0] * n[1]
    return (1.0 - k * n[0] * n[0], -xy, n[0]), (xy, k * n[1] * n[1] - 1.0, -n[1]), n


@leaf
def contact_rotation(n):
    """R_WC (9 numbers, row by row) of `contact_axes`."""
    x, y, z = contact_axes(n)
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@leaf
def relative_twist(R_WC, p_C, p_A, v_A, w_A, p_B, v_B, w_B):
    """Twist of B relative to A at the point p_C, in C: (v, w); v_z < 0 means approach."""
    v = sub(add(v_B, cross(w_B, sub(p_C, p_B))), add(v_A, cross(w_A, sub(p_C, p_A))))
    return rotate_back(R_WC, v), rotate_back(R_WC, sub(w_B, w_A))


@leaf
def grasp_column(R_WC, arm, component):
    """Column of G^T: twist in C of the point at `arm` from the object's origin for a unit of the object's twist."""
    k = component % 3
    axis = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    if component < 3:
        return rotate_back(R_WC, axis), (0.0, 0.0, 0.0)
    return rotate_back(R_WC, cross(axis, arm)), rotate_back(R_WC, axis)


@kernel
def contact_jacobian(joints, bodies, chain, q, R_WC, p_C, J, scratch, world, slot):
    """J_f (6, nv) of one world: twist in C of the body at the chain's end, at the point p_C (world), for each freedom."""
    place_world(scratch, slot)
    for i in range(6):
        for j in range(J.shape[2]):
            J[world, i, j] = 0.0
    for i in range(chain.shape[0]):
        place_body(joints, bodies, q, scratch, world, slot, chain[i], True)
    for i in range(chain.shape[0]):
        body = chain[i]
        kind, first = joints[body, KIND], joints[body, V_INDEX]
        arm = sub(p_C, get_vector(scratch, slot, body, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, scratch, slot, body, k)
            linear, angular = rotate_back(R_WC, cross(axis, arm)), rotate_back(R_WC, axis)
            if slides(kind, k):
                linear, angular = angular, (0.0, 0.0, 0.0)
            for r in range(3):
                J[world, r, first + k] = linear[r]
                J[world, 3 + r, first + k] = angular[r]


@leaf
def vector_in(array, world, first):
    """Three numbers of a row."""
    return array[world, first], array[world, first + 1], array[world, first + 2]


@leaf
def rotation_in(array, world):
    """Nine numbers of a row."""
    return (
        array[world, 0], array[world, 1], array[world, 2], array[world, 3], array[world, 4], array[world, 5],
        array[world, 6], array[world, 7], array[world, 8],
    )  # fmt: skip


@entry
def contact_frame_batch(normals, out, start, stop, stride, slot):
    """R_WC (worlds, 9) of unit normals (worlds, 3)."""
    bad = 0
    for world in range(start, stop, stride):
        R = contact_rotation(vector_in(normals, world, 0))
        for i in range(9):
            out[world, i] = R[i]
        if not all_finite(out, world) and bad == 0:
            bad = world + 1
    return bad


@entry
def relative_twist_batch(R, p_C, p_A, V_A, p_B, V_B, out, start, stop, stride, slot):
    """`relative_twist` over worlds: R (9), points (3), twists (6); out (6)."""
    bad = 0
    for world in range(start, stop, stride):
        v, w = relative_twist(
            rotation_in(R, world), vector_in(p_C, world, 0),
            vector_in(p_A, world, 0), vector_in(V_A, world, 0), vector_in(V_A, world, 3),
            vector_in(p_B, world, 0), vector_in(V_B, world, 0), vector_in(V_B, world, 3),
        )  # fmt: skip
        for i in range(3):
            out[world, i], out[world, 3 + i] = v[i], w[i]
        if not all_finite(out, world) and bad == 0:
            bad = world + 1
    return bad


@entry
def grasp_rows_batch(R, p_C, p_O, out, start, stop, stride, slot):
    """G^T (worlds, 6, 6)."""
    bad = 0
    for world in range(start, stop, stride):
        R_WC = rotation_in(R, world)
        arm = sub(vector_in(p_C, world, 0), vector_in(p_O, world, 0))
        for k in range(6):
            linear, angular = grasp_column(R_WC, arm, k)
            for i in range(3):
                out[world, i, k], out[world, 3 + i, k] = linear[i], angular[i]
        if not (all_finite(R, world) and all_finite(p_C, world) and all_finite(p_O, world)) and bad == 0:
            bad = world + 1
    return bad


@entry
def contact_jacobian_batch(joints, bodies, chain, q, R, p_C, J, scratch, start, stop, stride, slot):
    """`contact_jacobian` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        R_WC, p = rotation_in(R, world), vector_in(p_C, world, 0)
        contact_jacobian(joints, bodies, chain, q, R_WC, p, J, scratch, world, slot)
        if not (all_finite(q, world) and all_finite(R, world) and all_finite(p_C, world)) and bad == 0:
            bad = world + 1
    return bad
