"""Poses of bodies in world axes, kept in scratch columns 0 to 11: the common first stage of many algorithms.

Positions are seen from one point per tree, the origin of its first moving body: a robot far from the world's origin
then loses no digits. Where absolute positions are wanted, `absolute=True`.
"""

from carpal._core.compile import leaf
from carpal.kinematics.kernels.joint import joint_pose
from carpal.model.kernels.tables import PARENT
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, product, rotate

R_WB, P_WB = 0, 9  # scratch columns
COLUMNS = 12


@leaf
def place_world(scratch, slot):
    """Row 0: the world itself."""
    put_matrix(scratch, slot, 0, R_WB, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    put_vector(scratch, slot, 0, P_WB, (0.0, 0.0, 0.0))


@leaf
def place_body(joints, bodies, q, scratch, world, slot, body, absolute):
    """Pose of a body whose parent is placed; stored and returned."""
    parent = joints[body, PARENT]
    R_PB, p_PB = joint_pose(joints, bodies, q, world, body)
    R, p = R_PB, p_PB
    if parent > 0:
        R_WP = get_matrix(scratch, slot, parent, R_WB)
        R = product(R_WP, R_PB)
        p = add(get_vector(scratch, slot, parent, P_WB), rotate(R_WP, p_PB))
    elif not absolute:
        p = (0.0, 0.0, 0.0)
    put_matrix(scratch, slot, body, R_WB, R)
    put_vector(scratch, slot, body, P_WB, p)
    return R, p
