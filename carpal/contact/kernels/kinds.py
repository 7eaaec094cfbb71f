"""Kinds of shapes as the kernels number them, and the packed tables in which the shapes of a model reach the kernels.

Sizes are three numbers in the shape's own frame S: sphere (r, 0, 0); capsule and cylinder (r, half length, 0), axis z;
box half sizes; ellipsoid half axes; plane: the solid half-space z <= 0 of S, normal +z; convex and triangles (0, 0, 0) and
a range of rows in `points` and a tree of `boxes` (`contact/kernels/mesh_tree.py`).

| table | rows | columns |
|---|---|---|
| `shapes` | shapes, those of moving bodies first | SHAPE_... |
| `groups` | shapes of one body, or of a neighbourhood of the standing ones, under one bounding box | GROUP_... |
| `pairs` int64 | two shapes that may touch | PAIR_...; shape a moves, shape b moves or stands |
| `blocks` int64 | two groups with pairs between them | BLOCK_...; group a moves |
| `placed` scratch | bodies (columns of `kinematics/kernels/placement`), moving groups, moving shapes | PLACED_... |

`contact/tables.py` fills them.
"""

from carpal._core.compile import leaf
from carpal.model.kernels.tables import matrix_at, vector_at

SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, PLANE, CONVEX, TRIANGLES = 0, 1, 2, 3, 4, 5, 6, 7
KIND_COUNT = 8

# kind; row of the carrying body in `joints` (0: the world); row in `placed` (-1: it stands still); sizes; pose in that
# body's frame K, which for a standing shape is the world
SHAPE_KIND, SHAPE_ROW, SHAPE_PLACED, SHAPE_SIZE, SHAPE_ROTATION, SHAPE_POSITION = 0, 1, 2, 3, 6, 15
# the box that bounds it, along the axes of S: centre in K, half sizes, and a rounding radius all around
SHAPE_CENTRE, SHAPE_CORE, SHAPE_ROUND = 18, 21, 24
# radius of the ball about K's origin that holds it: what turning a joint moves at most
SHAPE_REACH = 25
# of a standing shape: lowest and highest corner of its box along the world's axes
SHAPE_LOW, SHAPE_HIGH = 26, 29
# first row in `points`, number of rows, and row `base` in `boxes`
SHAPE_POINTS, SHAPE_POINT_COUNT, SHAPE_MESH = 32, 33, 34
SHAPE_COLUMNS = 35

# row in `placed` (-1: it stands still); first shape and end of shapes; of a standing group: its box
GROUP_PLACED, GROUP_FIRST, GROUP_END, GROUP_LOW, GROUP_HIGH = 0, 1, 2, 3, 6
GROUP_COLUMNS = 9

# two shapes or groups, and their rows in `placed` (-1: it stands still); of a block: its range of pairs
PAIR_A, PAIR_B, PAIR_PLACED_A, PAIR_PLACED_B = 0, 1, 2, 3
BLOCK_A, BLOCK_B, BLOCK_PLACED_A, BLOCK_PLACED_B, BLOCK_FIRST, BLOCK_END = 0, 1, 2, 3, 4, 5

# rotation and position of a moving shape in the world; lowest and highest corner of its or a group's box
PLACED_ROTATION, PLACED_POSITION, PLACED_LOW, PLACED_HIGH = 0, 9, 12, 15
PLACED_COLUMNS = 18


@leaf
def kind_of(shapes, shape):
    """Kind of a shape, one of the numbers above."""
    return int(shapes[shape, SHAPE_KIND])


@leaf
def size_of(shapes, shape):
    """Its three sizes."""
    return vector_at(shapes, shape, SHAPE_SIZE)


@leaf
def points_of(shapes, shape):
    """First row in `points` and how many rows."""
    return int(shapes[shape, SHAPE_POINTS]), int(shapes[shape, SHAPE_POINT_COUNT])


@leaf
def pose_of(shapes, shape):
    """R_KS and p_KS: the pose of the shape in the frame of the body that carries it."""
    return matrix_at(shapes, shape, SHAPE_ROTATION), vector_at(shapes, shape, SHAPE_POSITION)


@leaf
def mesh_of(shapes, shape):
    """Row `base` of its tree in `boxes`."""
    return int(shapes[shape, SHAPE_MESH])
