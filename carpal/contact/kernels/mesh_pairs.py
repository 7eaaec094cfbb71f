"""A convex shape against a triangle mesh, and two meshes: the tree finds the triangles, the pair query measures each of them.

Apart, the distance is exact: the least over the triangles that the boxes leave. Overlapping, a surface that is not convex has
no single true depth, and this is what is meant by it:

- A ball is measured from its centre, and a plane from the deepest corner; they need no rule.
- A triangle has an outer side. Of the triangles that are crossed, those count whose shortest path out leads outward, and the
  deepest of them gives depth and normal (the shallowest would push a box that lies across an edge of the floor sideways).
- Where none leads outward, or a solid has swallowed the shape whole, the path out is through the nearest face, along its normal.

So the depth is right where a shape touches one flat or convex piece at a time, and a lower bound of what frees it from the rest.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.kinds import CONVEX, PLANE, SPHERE, TRIANGLES
from carpal.contact.kernels.mesh_tree import (
    FACE_NORMAL,
    MESH_CLOSED,
    box_distance2,
    leaf_rows,
    mesh_distance,
    mesh_shape,
    position_in,
    rotation_in,
)
from carpal.contact.kernels.pair import nearer_than, nearest
from carpal.contact.kernels.support import core_radius, support_local
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, dot, product, rotate, rotate_back, scale, sub

NOTHING_NEAR = -1  # status: nothing within the limit
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_ORIGIN = (0.0, 0.0, 0.0)


@leaf
def _transposed(R):
    return R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]


@kernel
def _support(kind, size, start, count, R, p, d, points):
    """Farthest point along a unit vector d of a shape that stands at (R, p)."""
    local = rotate_back(R, d)
    core = support_local(kind, size, start, count, local, points)
    return add(add(p, rotate(R, core)), scale(core_radius(kind, size), d))


@kernel
def _bounds(kind, size, start, count, R, p, points):
    """Lowest and highest corner of the box round a shape that stands at (R, p)."""
    return (
        _support(kind, size, start, count, R, p, (-1.0, 0.0, 0.0), points)[0],
        _support(kind, size, start, count, R, p, (0.0, -1.0, 0.0), points)[1],
        _support(kind, size, start, count, R, p, (0.0, 0.0, -1.0), points)[2],
        _support(kind, size, start, count, R, p, (1.0, 0.0, 0.0), points)[0],
        _support(kind, size, start, count, R, p, (0.0, 1.0, 0.0), points)[1],
        _support(kind, size, start, count, R, p, (0.0, 0.0, 1.0), points)[2],
    )


@leaf
def _gap2(bounds, low_x, low_y, low_z, high_x, high_y, high_z):
    x = max(max(low_x - bounds[3], bounds[0] - high_x), 0.0)
    y = max(max(low_y - bounds[4], bounds[1] - high_y), 0.0)
    z = max(max(low_z - bounds[5], bounds[2] - high_z), 0.0)
    return x * x + y * y + z * z


@leaf
def _node_gap2(bounds, row, boxes):
    return _gap2(bounds, boxes[row, 0], boxes[row, 1], boxes[row, 2], boxes[row, 3], boxes[row, 4], boxes[row, 5])


@leaf
def _triangle_gap2(bounds, row, points):
    a, b, c = vector_at(points, row, 0), vector_at(points, row + 1, 0), vector_at(points, row + 2, 0)
    return _gap2(
        bounds,
        min(a[0], min(b[0], c[0])), min(a[1], min(b[1], c[1])), min(a[2], min(b[2], c[2])),
        max(a[0], max(b[0], c[0])), max(a[1], max(b[1], c[1])), max(a[2], max(b[2], c[2])),
    )  # fmt: skip


@leaf
def _reach2(distance):
    """Squared gap of boxes that may still matter: where shapes overlap, only boxes that overlap."""
    return distance * distance if distance > 0.0 else 0.0


@kernel
def _next_node(node, trail, bounds, base, boxes, reach2):
    """The next node to check on the path back up, and what is left; node 0: the search is over."""
    while trail != 0:
        if trail & 1:
            trail ^= 1
            node ^= 1
            if _node_gap2(bounds, base + node, boxes) <= reach2:
                return node, trail
        else:
            trail >>= 1
            node >>= 1
    return 0, 0


@kernel
def _descend(node, trail, bounds, base, boxes, reach2):
    """From an inner node to the nearer child, or to the next node; as `_next_node`."""
    near = 2 * node
    near2, other2 = _node_gap2(bounds, base + near, boxes), _node_gap2(bounds, base + near + 1, boxes)
    if other2 < near2:
        near, near2, other2 = near + 1, other2, near2
    if near2 <= reach2:
        return near, (trail << 1) | (1 if other2 <= reach2 else 0)
    return _next_node(node, trail, bounds, base, boxes, reach2)


@kernel
def _swallowed(p, base, boxes, points, normals):
    """Whether a closed mesh has a point inside."""
    if boxes[base, MESH_CLOSED] == 0.0 or box_distance2(p, base + 1, boxes) > 0.0:
        return False
    return mesh_distance(p, base, boxes, points, normals)[0] < 0.0


@kernel
def _plane_mesh(R, p, base, boxes, points, limit):
    """Plane against mesh: the lowest corner. In the mesh's frame: (status, distance, p_A, p_B, n)."""
    n = (R[2], R[5], R[8])
    level = dot(n, p)
    leaves, triangles, first = mesh_shape(base, boxes)
    best, where, found = limit, p, False
    node, trail = 1, 0
    while node != 0:
        row = base + node
        lowest = -level
        for i in range(3):
            lowest += n[i] * (boxes[row, i] if n[i] > 0.0 else boxes[row, i + 3])
        if lowest <= best and node < leaves:
            node, trail = 2 * node, (trail << 1) | 1
            continue
        if lowest <= best:
            begin, stop = leaf_rows(node, leaves, triangles, first)
            for corner in range(begin, stop):
                height = dot(n, vector_at(points, corner, 0)) - level
                if height < best:
                    best, where, found = height, vector_at(points, corner, 0), True
        while trail & 1 == 0 and trail != 0:
            trail >>= 1
            node >>= 1
        if trail == 0:
            node = 0
        else:
            trail ^= 1
            node ^= 1
    return (0 if found else NOTHING_NEAR), best, sub(where, scale(best, n)), where, n


@kernel
def _shape_mesh(kind, size, start, count, R, p, base, boxes, points, normals, scratch, slot, limit):
    """Any other convex shape at (R, p) in the mesh's frame: (status, distance, p_A, p_B, n) in that frame."""
    bounds = _bounds(kind, size, start, count, R, p, points)
    leaves, triangles, first = mesh_shape(base, boxes)
    status, best, p_A, p_B, n = NOTHING_NEAR, limit, p, p, (0.0, 0.0, 1.0)
    wrong_side, through, face = False, math.inf, (0.0, 0.0, 1.0)
    node, trail = 1, 0
    while node != 0:
        if node < leaves:
            node, trail = _descend(node, trail, bounds, base, boxes, _reach2(best))
            continue
        row, stop = leaf_rows(node, leaves, triangles, first)
        while row < stop:
            if _triangle_gap2(bounds, row, points) <= _reach2(best):
                code, far, a, b, m = nearest(
                    kind, size, start, count, R, p, CONVEX, _ORIGIN, row, 3, _IDENTITY, _ORIGIN, points, scratch, slot
                )
                outward = vector_at(normals, row, FACE_NORMAL)
                if far < 0.0 and dot(m, outward) > 0.0:
                    wrong_side = True
                    corner = vector_at(points, row, 0)
                    lowest = _support(kind, size, start, count, R, p, scale(-1.0, outward), points)
                    if dot(outward, sub(corner, lowest)) < through:
                        through, face = dot(outward, sub(corner, lowest)), outward
                elif far < best:
                    status, best, p_A, p_B, n = max(code, 0), far, a, b, m
            row += 3
        node, trail = _next_node(node, trail, bounds, base, boxes, _reach2(best))
    if best < 0.0:
        return status, best, p_A, p_B, n
    if wrong_side:
        lowest = _support(kind, size, start, count, R, p, scale(-1.0, face), points)
        return 0, -through, lowest, add(lowest, scale(through, face)), scale(-1.0, face)
    inner = support_local(kind, size, start, count, (1.0, 0.0, 0.0), points)
    if _swallowed(add(p, rotate(R, inner)), base, boxes, points, normals):
        far, surface, outward, row = mesh_distance(add(p, rotate(R, inner)), base, boxes, points, normals)
        lowest = _support(kind, size, start, count, R, p, scale(-1.0, outward), points)
        through = dot(outward, sub(surface, lowest))
        return 0, -through, lowest, add(lowest, scale(through, outward)), scale(-1.0, outward)
    return status, best, p_A, p_B, n


@kernel
def mesh_nearest(
    kind_a, size_a, start_a, count_a, R_a, p_a, base, R_b, p_b, boxes, points, normals, scratch, slot, limit
):
    """(status, distance, p_WA, p_WB, n_AB_W) of a convex shape A and a triangle mesh B.

    Args:
        kind_a, size_a, start_a, count_a, R_a, p_a: the shape and its pose, as in `pair.nearest`.
        base, R_b, p_b, boxes, points, normals: the mesh, see `mesh_tree`, and its pose.
        scratch, slot: of `pair.nearest`.
        limit: distances beyond this [m] are not searched: the status is then NOTHING_NEAR and the distance `limit`.
    """
    R = product(_transposed(R_b), R_a)
    p = rotate_back(R_b, sub(p_a, p_b))
    if kind_a == SPHERE:
        far, surface, outward, _ = mesh_distance(p, base, boxes, points, normals)
        code, distance, b = 0, far - size_a[0], surface
        n = scale(-1.0, outward)
        a = sub(b, scale(distance, n))
        if distance > limit:
            code, distance = NOTHING_NEAR, limit
    elif kind_a == PLANE:
        code, distance, a, b, n = _plane_mesh(R, p, base, boxes, points, limit)
    else:
        code, distance, a, b, n = _shape_mesh(
            kind_a, size_a, start_a, count_a, R, p, base, boxes, points, normals, scratch, slot, limit
        )
    return code, distance, add(p_b, rotate(R_b, a)), add(p_b, rotate(R_b, b)), rotate(R_b, n)


@kernel
def mesh_nearer_than(
    kind_a, size_a, start_a, count_a, R_a, p_a, base, R_b, p_b, boxes, points, normals, margin, scratch, slot
):
    """1 where a convex shape A is at most a margin [m] away from a triangle mesh B, else 0; ends with the first such triangle.

    A shape that a solid has swallowed whole counts as nearer than any margin.
    """
    R = product(_transposed(R_b), R_a)
    p = rotate_back(R_b, sub(p_a, p_b))
    if kind_a == SPHERE:
        return 1 if mesh_distance(p, base, boxes, points, normals)[0] - size_a[0] <= margin else 0
    if kind_a == PLANE:
        return 1 if _plane_mesh(R, p, base, boxes, points, math.inf)[1] <= margin else 0
    bounds = _bounds(kind_a, size_a, start_a, count_a, R, p, points)
    leaves, triangles, first = mesh_shape(base, boxes)
    reach2 = _reach2(margin)
    node, trail = 1, 0
    if _node_gap2(bounds, base + 1, boxes) > reach2:
        return 0
    while node != 0:
        if node < leaves:
            node, trail = _descend(node, trail, bounds, base, boxes, reach2)
            continue
        row, stop = leaf_rows(node, leaves, triangles, first)
        while row < stop:
            if _triangle_gap2(bounds, row, points) <= reach2 and nearer_than(
                kind_a, size_a, start_a, count_a, R, p,
                CONVEX, _ORIGIN, row, 3, _IDENTITY, _ORIGIN, margin, points, scratch, slot,
            ):  # fmt: skip
                return 1
            row += 3
        node, trail = _next_node(node, trail, bounds, base, boxes, reach2)
    inner = support_local(kind_a, size_a, start_a, count_a, (1.0, 0.0, 0.0), points)
    return 1 if _swallowed(add(p, rotate(R, inner)), base, boxes, points, normals) else 0


@kernel
def mesh_mesh_nearest(base_a, R_a, p_a, base_b, R_b, p_b, boxes, points, normals, scratch, slot, limit):
    """(status, distance, p_WA, p_WB, n_AB_W) of two triangle meshes: each triangle of A against the tree of B."""
    _, triangles, first = mesh_shape(base_a, boxes)
    status, best, p_WA, p_WB, n = NOTHING_NEAR, limit, p_a, p_b, (0.0, 0.0, 1.0)
    for i in range(triangles):
        code, far, a, b, m = mesh_nearest(
            CONVEX, _ORIGIN, first + 3 * i, 3, R_a, p_a, base_b, R_b, p_b, boxes, points, normals, scratch, slot, best
        )
        if code != NOTHING_NEAR and far < best:
            status, best, p_WA, p_WB, n = code, far, a, b, m
    if best > 0.0:  # B may lie inside A as a whole; A inside B has shown itself above
        corner = add(p_b, rotate(R_b, vector_at(points, mesh_shape(base_b, boxes)[2], 0)))
        inside = rotate_back(R_a, sub(corner, p_a))
        if _swallowed(inside, base_a, boxes, points, normals):
            far, surface, outward, _ = mesh_distance(inside, base_a, boxes, points, normals)
            n = rotate(R_a, outward)
            return 0, far, add(p_a, rotate(R_a, surface)), corner, n
    return status, best, p_WA, p_WB, n


@entry
def mesh_pair_batch(
    kind, size_x, size_y, size_z, start_a, count_a, base_a, base_b, boxes, points, normals, limit, X_A, X_B, out, scratch,
    start, stop, stride, slot,
):  # fmt: skip
    """Distance, p_WA (3), p_WB (3), n_AB_W (3) and status of shape A (a mesh where kind is TRIANGLES) and mesh B."""
    bad = 0
    for world in range(start, stop, stride):
        R_a, p_a = rotation_in(X_A, world), position_in(X_A, world)
        R_b, p_b = rotation_in(X_B, world), position_in(X_B, world)
        if kind == TRIANGLES:
            code, far, a, b, n = mesh_mesh_nearest(
                base_a, R_a, p_a, base_b, R_b, p_b, boxes, points, normals, scratch, slot, limit
            )
        else:
            code, far, a, b, n = mesh_nearest(
                kind, (size_x, size_y, size_z), start_a, count_a, R_a, p_a,
                base_b, R_b, p_b, boxes, points, normals, scratch, slot, limit,
            )  # fmt: skip
        out[world, 0] = far
        for i in range(3):
            out[world, 1 + i] = a[i]
            out[world, 4 + i] = b[i]
            out[world, 7 + i] = n[i]
        out[world, 10] = code
        if bad == 0 and 0.0 * (a[0] + a[1] + a[2] + n[0] + n[1] + n[2]) != 0.0:
            bad = world + 1
    return bad
