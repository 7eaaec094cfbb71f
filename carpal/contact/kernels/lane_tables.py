"""What the lane-wise checks read: a robot as spheres, the standing shapes as rounded boxes, cylinders and half-spaces.

Sixteen configurations are checked side by side, in single precision; every array of scratch ends with the lane, so that one
vector instruction serves all of them. `contact/lane_scene.py` fills the tables. A shape of the robot lies inside its spheres and
a standing shape inside its row here, and the slack covers rounding: what is free here is free.
"""

from typing import NamedTuple

import numpy as np

from carpal.model.kernels.tables import BALL as BALL
from carpal.model.kernels.tables import FREE as FREE
from carpal.model.kernels.tables import KIND as KIND
from carpal.model.kernels.tables import PARENT as PARENT
from carpal.model.kernels.tables import POSITION as POSITION
from carpal.model.kernels.tables import PRISMATIC as PRISMATIC
from carpal.model.kernels.tables import Q_INDEX as Q_INDEX

LANES = 16
# columns of `frames`: rotation and position of a joint in its parent; of `spheres`: centre, radius
# columns of `parts`: row of the carrying joint, first sphere, end; of `balls`: centre and radius of the ball about all spheres
# of a part, and how far its spheres' centres are from its centre
PART_ROW, PART_FIRST, PART_END = 0, 1, 2
BALL_RADIUS, BALL_SPREAD = 3, 4
# columns of `obstacles`: rotation, position, half sizes (box) or radius and half height (cylinder), rounding radius, kind
OBSTACLE_P, OBSTACLE_SIZE, OBSTACLE_ROUND, OBSTACLE_KIND = 9, 12, 15, 16
OBSTACLE_COLUMNS = 17
ROUNDED_BOX, ROUND_CYLINDER, HALF_SPACE = 0, 1, 2
# columns of `tree`: the next node where this one's box is missed, the obstacle of a leaf or -1
SKIP, LEAF = 0, 1
# `numbers`: margin, slack of rounding [m], how many half-spaces (they come first among the obstacles, outside of the tree),
# motion [m] below which an interval that is not shown free counts as blocked
MARGIN, SLACK, HALF_SPACES, LEAST = 0, 1, 2, 3
# rows of `poses`: rotation, position, angular velocity, velocity of the origin
R_WK, P_WK, TURNING, MOVING = 0, 9, 12, 15
POSE_ROWS = 18
# rows of `span`: where on the edge (0 to 1), and half of the interval that the lane stands for
WHERE, HALF = 0, 1


class LaneScene(NamedTuple):
    """A prepared scene.

    joints (rows, 4) int64 as of the model; frames (rows, 12) f32; spheres (spheres, 4) f32; parts (parts, 3) int64, outermost
    first; balls (parts, 5) f32; boxes (nodes, 6) f32 and tree (nodes, 2) int64: the tree over the obstacles; obstacles (n, 17)
    f32; meets (parts, n) uint8: which may touch; pairs (pairs, 2) int64 of parts; reaches (parts + pairs, rows): how far a point
    of a part, or of two against each other, is at most from the axis of a joint that moves it; numbers.
    """

    joints: np.ndarray
    frames: np.ndarray
    spheres: np.ndarray
    parts: np.ndarray
    balls: np.ndarray
    boxes: np.ndarray
    tree: np.ndarray
    obstacles: np.ndarray
    meets: np.ndarray
    pairs: np.ndarray
    reaches: np.ndarray
    numbers: np.ndarray


class Lanes(NamedTuple):
    """Scratch of a slot; [slot, ..., lane] but for the last two.

    q, rate f64: positions and their derivatives by the place on the edge; turn f32: sine, cosine, rate; poses f32 (row 0 is
    the world's and never written); balls, points f32: centres in the world; grow f32: how far a part can move in its interval;
    span f64; half f32; flags int32: hit, undecided; bounds f64 (parts + pairs): second derivative of a part's
    motion, or the speed of a pair; stamps int64: parts whose spheres are placed.
    """

    q: np.ndarray
    rate: np.ndarray
    turn: np.ndarray
    poses: np.ndarray
    balls: np.ndarray
    points: np.ndarray
    grow: np.ndarray
    span: np.ndarray
    half: np.ndarray
    flags: np.ndarray
    bounds: np.ndarray
    stamps: np.ndarray
