"""A triangle mesh in a tree of bounding boxes: nearest point and signed distance.

Yesmunt 2014, section 2.3.3 searches contacts between points and polygons by a binary tree, which it only names; here the tree is
complete: 2^depth leaves of at most `LEAF` triangles, node i has the children 2i and 2i + 1, its sibling is i ^ 1 and its parent
i >> 1. So nodes need no links, and the path back up is remembered in the bits of one integer (bit 0: the sibling of the node at
hand is still to be seen), which takes the place of a stack. `contact/trees.py` builds the tables:

- `boxes` (nodes, 6): lowest and highest corner of each node's box. A mesh owns the rows from its `base` on (always even); row
  `base` itself is no node but holds depth, triangles, first row in `points`, and whether the mesh is closed.
- `points` (rows, 3): three rows for each triangle, in the order of the leaves.
- `normals` (rows, 10): beside each corner the triangle's unit normal, the normals of the edge that begins at this corner and
  of the corner itself, and the number of the face. Edge and corner normals are means weighted by angle, with which the sign of
  the distance is right also where the nearest point lies on an edge or corner (Bærentzen and Aanæs, 2005).
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.triangle import CORNER_A, FACE, nearest_on_triangle
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, dot, rotate, rotate_back, scale, sub

LEAF = 4
# columns of row `base` of `boxes`
MESH_DEPTH, MESH_TRIANGLES, MESH_ROW, MESH_CLOSED = 0, 1, 2, 3
# columns of `normals`
FACE_NORMAL, EDGE_NORMAL, CORNER_NORMAL, FACE_NUMBER = 0, 3, 6, 9
NORMAL_COLUMNS = 10


@leaf
def rotation_in(X, world):
    """The rotation of a world's pose, nine numbers."""
    return (
        X[world, 0, 0], X[world, 0, 1], X[world, 0, 2],
        X[world, 1, 0], X[world, 1, 1], X[world, 1, 2],
        X[world, 2, 0], X[world, 2, 1], X[world, 2, 2],
    )  # fmt: skip


@leaf
def position_in(X, world):
    """The position of a world's pose."""
    return X[world, 0, 3], X[world, 1, 3], X[world, 2, 3]


@leaf
def mesh_shape(base, boxes):
    """Leaves, triangles and first row in `points` of the mesh at `base`."""
    return 1 << int(boxes[base, MESH_DEPTH]), int(boxes[base, MESH_TRIANGLES]), int(boxes[base, MESH_ROW])


@leaf
def leaf_rows(node, leaves, triangles, row):
    """First and past-the-last row in `points` of a leaf's triangles."""
    number = node - leaves
    return row + 3 * (number * triangles // leaves), row + 3 * ((number + 1) * triangles // leaves)


@leaf
def box_distance2(p, row, boxes):
    """Squared distance from a point to a box, zero inside."""
    x = max(max(boxes[row, 0] - p[0], p[0] - boxes[row, 3]), 0.0)
    y = max(max(boxes[row, 1] - p[1], p[1] - boxes[row, 4]), 0.0)
    z = max(max(boxes[row, 2] - p[2], p[2] - boxes[row, 5]), 0.0)
    return x * x + y * y + z * z


@kernel
def nearest_on_mesh(p, base, boxes, points, limit2):
    """Squared distance, point, row of its triangle and feature nearest to p, all in the mesh's frame.

    Args:
        p: three numbers [m].
        base, boxes, points: the mesh, see above.
        limit2: what is farther than this squared distance [m^2] is not searched; the row is then -1.
    """
    leaves, triangles, first = mesh_shape(base, boxes)
    least, best, best_row, best_feature = limit2, p, -1, FACE
    node, trail = 1, 0
    going = box_distance2(p, base + 1, boxes) <= least
    while going:
        if node >= leaves:
            row, stop = leaf_rows(node, leaves, triangles, first)
            while row < stop:
                q, feature = nearest_on_triangle(
                    p, vector_at(points, row, 0), vector_at(points, row + 1, 0), vector_at(points, row + 2, 0)
                )
                gap = sub(p, q)
                far2 = dot(gap, gap)
                if far2 < least or (best_row < 0 and far2 <= least):
                    least, best, best_row, best_feature = far2, q, row, feature
                row += 3
        else:
            near = 2 * node
            near2, other2 = box_distance2(p, base + near, boxes), box_distance2(p, base + near + 1, boxes)
            if other2 < near2:
                near, near2, other2 = near + 1, other2, near2
            if near2 <= least:
                node = near
                trail = (trail << 1) | (1 if other2 <= least else 0)
                continue
        going = False
        while trail != 0:  # up to the next sibling that may still hold something nearer
            if trail & 1:
                trail ^= 1
                node ^= 1
                if box_distance2(p, base + node, boxes) < least:
                    going = True
                    break
            else:
                trail >>= 1
                node >>= 1
    return least, best, best_row, best_feature


@leaf
def outward_at(row, feature, normals):
    """The outward normal (any length) of the face, edge or corner that a nearest point lies on."""
    if feature == FACE:
        return vector_at(normals, row, FACE_NORMAL)
    if feature >= CORNER_A:
        return vector_at(normals, row + feature - CORNER_A, CORNER_NORMAL)
    return vector_at(normals, row + feature - 1, EDGE_NORMAL)


@kernel
def mesh_distance(p, base, boxes, points, normals):
    """Distance from a mesh to a point, nearest point, outward unit normal there, row of the triangle; in the mesh's frame.

    A closed mesh is a solid: inside it the distance is negative. An open one is a sheet, whose distance has no sign. The
    normal is the direction in which the distance grows; on the surface itself it is the surface's own.
    """
    far2, q, row, feature = nearest_on_mesh(p, base, boxes, points, math.inf)
    outward = outward_at(row, feature, normals)
    gap = sub(p, q)
    far = math.sqrt(far2)
    closed = boxes[base, MESH_CLOSED] != 0.0
    sign = -1.0 if closed and dot(gap, outward) < 0.0 else 1.0
    if far > 0.0:
        return sign * far, q, scale(sign / far, gap), row
    length = math.sqrt(dot(outward, outward))
    if length > 0.0:
        return 0.0, q, scale(1.0 / length, outward), row
    return 0.0, q, (0.0, 0.0, 1.0), row


@entry
def mesh_distance_batch(base, boxes, points, normals, X, p, out, start, stop, stride, slot):
    """Distance, nearest point (3), normal (3) and face of points p in the world; the mesh stands at X (4, 4)."""
    bad = 0
    for world in range(start, stop, stride):
        R, at = rotation_in(X, world), position_in(X, world)
        local = rotate_back(R, sub((p[world, 0], p[world, 1], p[world, 2]), at))
        far, q, n, row = mesh_distance(local, base, boxes, points, normals)
        q, n = add(at, rotate(R, q)), rotate(R, n)
        out[world, 0] = far
        for i in range(3):
            out[world, 1 + i] = q[i]
            out[world, 4 + i] = n[i]
        out[world, 7] = normals[row, FACE_NUMBER]
        if bad == 0 and 0.0 * (far + q[0] + q[1] + q[2]) != 0.0:
            bad = world + 1
    return bad
