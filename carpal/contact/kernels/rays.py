"""Ray casts in closed form: where a ray first crosses the surface of a shape.

Everything is in the shape's own frame. A ray is x = o + t d with d of length one and t >= 0; the answer is (t, n), with t
infinite where the ray misses and n the outward unit normal at the crossing. From inside a ray meets the wall on its exit.
Round shapes take the foot of the perpendicular from their centre first, so that a far origin costs no digits of the radius.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.kinds import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.contact.kernels.mesh_rays import ray_mesh
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.vec3 import add, dot, rotate, rotate_back, scale, sub

# columns of the table of shapes in the world, see `ray_batch`
RAY_KIND, RAY_SIZE, RAY_ROTATION, RAY_POSITION, RAY_BASE = 0, 1, 4, 13, 16
RAY_COLUMNS = 17


@leaf
def _first(low, high):
    """The first of two ordered crossings that lies ahead; infinite where none does."""
    if low >= 0.0:
        return low
    return high if high >= 0.0 else math.inf


@leaf
def _ball(o, d, r):
    """Both crossings of a ball about the origin; (inf, inf) for a miss."""
    middle = -dot(o, d)
    foot = add(o, scale(middle, d))
    left = r * r - dot(foot, foot)
    if left < 0.0:
        return math.inf, math.inf
    half = math.sqrt(left)
    return middle - half, middle + half


@leaf
def _tube(o, d, r):
    """Both crossings of an endless cylinder along z; (inf, inf) for a miss and for a ray along it."""
    across2 = d[0] * d[0] + d[1] * d[1]
    if across2 < 1e-30:
        return math.inf, math.inf
    middle = -(o[0] * d[0] + o[1] * d[1]) / across2
    x, y = o[0] + middle * d[0], o[1] + middle * d[1]
    left = r * r - x * x - y * y
    if left < 0.0:
        return math.inf, math.inf
    half = math.sqrt(left / across2)
    return middle - half, middle + half


@kernel
def _ray_sphere(o, d, r):
    low, high = _ball(o, d, r)
    t = _first(low, high)
    if t == math.inf:
        return t, (0.0, 0.0, 0.0)
    return t, scale(1.0 / r, add(o, scale(t, d)))


@kernel
def _ray_ellipsoid(o, d, size):
    """A ball in coordinates divided by the half axes, in which the ray's direction has another length."""
    u = (d[0] / size[0], d[1] / size[1], d[2] / size[2])
    length = math.sqrt(dot(u, u))
    w = (o[0] / size[0], o[1] / size[1], o[2] / size[2])
    low, high = _ball(w, scale(1.0 / length, u), 1.0)
    t = _first(low, high) / length
    if t == math.inf:
        return t, (0.0, 0.0, 0.0)
    x = (w[0] + t * u[0], w[1] + t * u[1], w[2] + t * u[2])
    n = (x[0] / size[0], x[1] / size[1], x[2] / size[2])
    return t, scale(1.0 / math.sqrt(dot(n, n)), n)


@kernel
def _ray_cylinder(o, d, r, half):
    best, n = math.inf, (0.0, 0.0, 0.0)
    low, high = _tube(o, d, r)
    for i in range(2):
        t = low if i == 0 else high
        if 0.0 <= t < best and abs(o[2] + t * d[2]) <= half:
            best, n = t, ((o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, 0.0)
    if d[2] != 0.0:
        for i in range(2):
            side = 1.0 if i == 0 else -1.0
            t = (side * half - o[2]) / d[2]
            x, y = o[0] + t * d[0], o[1] + t * d[1]
            if 0.0 <= t < best and x * x + y * y <= r * r:
                best, n = t, (0.0, 0.0, side)
    return best, n


@kernel
def _ray_capsule(o, d, r, half):
    best, n = math.inf, (0.0, 0.0, 0.0)
    low, high = _tube(o, d, r)
    for i in range(2):
        t = low if i == 0 else high
        if 0.0 <= t < best and abs(o[2] + t * d[2]) <= half:
            best, n = t, ((o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, 0.0)
    for i in range(4):
        side = half if i < 2 else -half
        low, high = _ball((o[0], o[1], o[2] - side), d, r)
        t = low if i % 2 == 0 else high
        if 0.0 <= t < best:
            z = o[2] + t * d[2] - side
            if z * side >= 0.0:  # only the half of the ball beyond the tube is surface
                best, n = t, ((o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, z / r)
    return best, n


@kernel
def _ray_box(o, d, size):
    """Slabs: in through the last of three planes, out through the first."""
    enter, leave, axis_in, axis_out = -math.inf, math.inf, 0, 0
    for i in range(3):
        if d[i] == 0.0:
            if abs(o[i]) > size[i]:
                return math.inf, (0.0, 0.0, 0.0)
        else:
            a, b = (-size[i] - o[i]) / d[i], (size[i] - o[i]) / d[i]
            if a > b:
                a, b = b, a
            if a > enter:
                enter, axis_in = a, i
            if b < leave:
                leave, axis_out = b, i
    if enter > leave or leave < 0.0:
        return math.inf, (0.0, 0.0, 0.0)
    if enter >= 0.0:
        t, axis, sense = enter, axis_in, -1.0
    else:
        t, axis, sense = leave, axis_out, 1.0
    s = math.copysign(sense, sense * d[axis])
    return t, (s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)


@kernel
def ray_shape(kind, size, base, boxes, points, normals, o, d, limit):
    """(t, n, face) of a ray with any shape; face is the triangle's number in meshes, -1 elsewhere.

    Args:
        kind, size: of the shape, see `kinds`.
        base, boxes, points, normals: the tree of a mesh, see `mesh_tree`; unused by the others.
        o, d: origin [m] and unit direction, in the shape's frame.
        limit: crossings beyond this distance [m] are not searched.
    """
    face = -1
    if kind == SPHERE:
        t, n = _ray_sphere(o, d, size[0])
    elif kind == CAPSULE:
        t, n = _ray_capsule(o, d, size[0], size[1])
    elif kind == CYLINDER:
        t, n = _ray_cylinder(o, d, size[0], size[1])
    elif kind == BOX:
        t, n = _ray_box(o, d, size)
    elif kind == ELLIPSOID:
        t, n = _ray_ellipsoid(o, d, size)
    elif kind == PLANE:
        t, n = math.inf, (0.0, 0.0, 1.0)
        if d[2] != 0.0 and -o[2] / d[2] >= 0.0:
            t = -o[2] / d[2]
    else:
        t, n, face = ray_mesh(o, d, base, boxes, points, normals, limit)
    if t > limit:
        return math.inf, n, -1
    return t, n, face


@entry
def ray_batch(table, boxes, points, normals, limit, o, d, out, start, stop, stride, slot):
    """The first shape that each ray crosses: distance, point (3), normal (3), row of the shape in `table`, face.

    `table` (shapes, 17) holds kind, sizes (3), rotation (9) and position (3) in the world, and `base` of a mesh.
    """
    for world in range(start, stop, stride):
        origin, along = (o[world, 0], o[world, 1], o[world, 2]), (d[world, 0], d[world, 1], d[world, 2])
        best, n, shape, face = math.inf, (0.0, 0.0, 0.0), -1, -1
        for i in range(table.shape[0]):
            R, p = matrix_at(table, i, RAY_ROTATION), vector_at(table, i, RAY_POSITION)
            t, m, number = ray_shape(
                int(table[i, RAY_KIND]), vector_at(table, i, RAY_SIZE), int(table[i, RAY_BASE]), boxes, points, normals,
                rotate_back(R, sub(origin, p)), rotate_back(R, along), min(limit, best),
            )  # fmt: skip
            if t < best:
                best, n, shape, face = t, rotate(R, m), i, number
        out[world, 0] = best
        for i in range(3):
            out[world, 1 + i] = origin[i] + best * along[i] if shape >= 0 else math.nan
            out[world, 4 + i] = n[i]
        out[world, 7] = shape
        out[world, 8] = face
    return 0
