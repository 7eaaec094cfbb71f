"""Cylindrical point joints: a point of A held on a path of B (Yesmunt 2014, eq. 2.14 to 2.29).

The path is a polyline whose nearest point is found segment by segment, the share s of each clamped to [0, 1], so the ends are
stops. The gap's rate is taken at the path's point as fixed to B, without its part along the segment where the point can slide:
a slot has no friction of its own. Erratum E7 as for the point joint.
"""

from carpal._core.compile import kernel
from carpal.engines.penalty.kernels.point_joints import ARM_A, A, B, joint_force, record_joint_energy
from carpal.engines.penalty.kernels.state import W_W, P, V, point_motion, push, rotation_of, triple
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub

# after A, B, ARM_A of a point joint: first corner, number of corners, stiffness [N/m], damping [N s/m]
FIRST, CORNERS, STIFFNESS, DAMPING = 5, 6, 7, 8
SLOT_COLUMNS = 9


@kernel
def nearest_on_path(p, first, count, corners):
    """Point of the polyline nearest to p, its segment's direction, and if it can slide, which it cannot at the ends."""
    best, along, free, least = p, (0.0, 0.0, 0.0), False, -1.0
    for row in range(first, first + count - 1):
        start = vector_at(corners, row, 0)
        edge = sub(vector_at(corners, row + 1, 0), start)
        s = dot(sub(p, start), edge) / dot(edge, edge)
        inside = (s > 0.0 or row > first) and (s < 1.0 or row < first + count - 2)
        q = add(start, scale(min(max(s, 0.0), 1.0), edge))
        away = sub(p, q)
        far = dot(away, away)
        if least < 0.0 or far < least:
            best, along, free, least = q, edge, inside, far
    return best, along, free


@kernel
def slot_joint_forces(slots, corners, offset, now, force, sums, slot):
    """All slot joints of a world; `offset` is the number of joints before them, for the worst gap's name."""
    for joint in range(slots.shape[0]):
        a, b = int(slots[joint, A]), int(slots[joint, B])
        _, at_a, _ = point_motion(now, slot, a, vector_at(slots, joint, ARM_A))
        turn = rotation_of(now, slot, b)
        local = rotate_back(turn, sub(at_a, triple(now, slot, b, P)))
        near, along, free = nearest_on_path(local, int(slots[joint, FIRST]), int(slots[joint, CORNERS]), corners)
        arm_b, at_b, v_b = point_motion(now, slot, b, near)
        # the forces of both bodies act in one place, or their moments would not balance
        arm_a = sub(at_b, triple(now, slot, a, P))
        v_a = add(triple(now, slot, a, V), cross(triple(now, slot, a, W_W), arm_a))
        rate = sub(v_b, v_a)
        if free:
            along = rotate(turn, along)
            rate = sub(rate, scale(dot(rate, along) / dot(along, along), along))
        pull, energy, loss, gap2 = joint_force(sub(at_b, at_a), rate, slots[joint, STIFFNESS], slots[joint, DAMPING])
        push(force, slot, a, arm_a, pull)
        push(force, slot, b, arm_b, scale(-1.0, pull))
        record_joint_energy(sums, slot, energy, loss, gap2, offset + joint)
