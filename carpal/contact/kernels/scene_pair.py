"""One pair of the shapes in the tables: reads kinds, sizes and placed poses, and asks the pair or the mesh kernels."""

from carpal._core.compile import kernel
from carpal.contact.kernels.kinds import TRIANGLES, kind_of, mesh_of, points_of, size_of
from carpal.contact.kernels.mesh_pairs import NOTHING_NEAR, mesh_mesh_nearest, mesh_nearer_than, mesh_nearest
from carpal.contact.kernels.pair import nearer_than, nearest
from carpal.contact.kernels.placing import placed_pose
from carpal.spatial.kernels.vec3 import scale


@kernel
def pair_nearer_than(shapes, points, normals, boxes, margin, placed, work, slot, a, b):
    """1 where the distance of shapes a and b is below a margin [m], else 0."""
    kind_a, kind_b = kind_of(shapes, a), kind_of(shapes, b)
    R_a, p_a = placed_pose(shapes, placed, slot, a)
    R_b, p_b = placed_pose(shapes, placed, slot, b)
    start_a, count_a = points_of(shapes, a)
    start_b, count_b = points_of(shapes, b)
    if kind_a != TRIANGLES and kind_b != TRIANGLES:
        return nearer_than(
            kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a,
            kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b, margin, points, work, slot,
        )  # fmt: skip
    if kind_a != TRIANGLES:
        return mesh_nearer_than(
            kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a, mesh_of(shapes, b), R_b, p_b,
            boxes, points, normals, margin, work, slot,
        )  # fmt: skip
    if kind_b != TRIANGLES:
        return mesh_nearer_than(
            kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b, mesh_of(shapes, a), R_a, p_a,
            boxes, points, normals, margin, work, slot,
        )  # fmt: skip
    status, distance, _, _, _ = mesh_mesh_nearest(
        mesh_of(shapes, a), R_a, p_a, mesh_of(shapes, b), R_b, p_b, boxes, points, normals, work, slot, margin
    )
    return 1 if status != NOTHING_NEAR and distance < margin else 0


@kernel
def pair_nearest(shapes, points, normals, boxes, limit, placed, work, slot, a, b):
    """(status, distance, p_WA, p_WB, n_AB_W) of shapes a and b; meshes are not searched beyond the limit [m]."""
    kind_a, kind_b = kind_of(shapes, a), kind_of(shapes, b)
    R_a, p_a = placed_pose(shapes, placed, slot, a)
    R_b, p_b = placed_pose(shapes, placed, slot, b)
    start_a, count_a = points_of(shapes, a)
    start_b, count_b = points_of(shapes, b)
    if kind_a != TRIANGLES and kind_b != TRIANGLES:
        return nearest(
            kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a,
            kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b, points, work, slot,
        )  # fmt: skip
    if kind_a != TRIANGLES:
        return mesh_nearest(
            kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a, mesh_of(shapes, b), R_b, p_b,
            boxes, points, normals, work, slot, limit,
        )  # fmt: skip
    if kind_b != TRIANGLES:
        status, distance, p_WB, p_WA, n_BA_W = mesh_nearest(
            kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b, mesh_of(shapes, a), R_a, p_a,
            boxes, points, normals, work, slot, limit,
        )  # fmt: skip
        return status, distance, p_WA, p_WB, scale(-1.0, n_BA_W)
    return mesh_mesh_nearest(
        mesh_of(shapes, a), R_a, p_a, mesh_of(shapes, b), R_b, p_b, boxes, points, normals, work, slot, limit
    )
