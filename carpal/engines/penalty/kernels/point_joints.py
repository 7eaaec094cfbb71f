"""Spherical joints by penalty: a stiff spring and a damper between two points (Yesmunt 2014, eq. 2.4 to 2.13).

The damping is the vector form c d' (erratum E7: the printed c d d' has no unit of force), and A is pulled towards B's point
while B gets the opposite (E8). A revolute joint is two of these on a line.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.state import (  # fmt: skip
    GAP,
    GAP_JOINT,
    POWER_LOST,
    STORED,
    motion_of,
    push_at_centre,
)
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale, sub

# bodies, the point from each centre of mass, stiffness [N/m], damping [N s/m]
A, B, ARM_A, ARM_B, STIFFNESS, DAMPING = 0, 1, 2, 5, 8, 9
POINT_COLUMNS = 10


@leaf
def joint_force(gap, rate, stiffness, damping):
    """Force k gap + c gap' on A, the spring's energy, the damper's loss and the squared gap."""
    gap2 = dot(gap, gap)
    f = add(scale(stiffness, gap), scale(damping, rate))
    return f, 0.5 * stiffness * gap2, damping * dot(rate, rate), gap2


@leaf
def record_joint_energy(sums, slot, stored, lost, worst, joint):
    """Add what a kind of joint stored and lost, and its worst gap where it is the worst of all."""
    sums[slot, STORED] += stored
    sums[slot, POWER_LOST] += lost
    if not worst <= sums[slot, GAP]:  # also when it is not a number
        sums[slot, GAP], sums[slot, GAP_JOINT] = worst, joint


@leaf
def _point(R, p, v, w, r):
    """Arm from C, position and velocity in W of the point r from C: `point_motion` of a state in registers."""
    arm = rotate(R, r)
    return arm, add(p, arm), add(v, cross(w, arm))


@kernel
def point_joint_forces(points, now, force, sums, slot):
    """All point joints of a world. `sums[GAP]` holds the largest squared gap [m^2].

    Joints of the same two bodies that follow each other, as the two of a hinge do, read these once and push them once:
    on a GPU the memory's traffic is what a step costs. Sums stay in registers, where they do not wait for each other's stores.
    """
    stored = lost = worst = 0.0
    worst_at = joint = 0
    count = points.shape[0]
    while joint < count:
        row_a, row_b = points[joint, A], points[joint, B]
        a, b = int(row_a), int(row_b)
        R_a, p_a, v_a, w_a = motion_of(now, slot, a)
        R_b, p_b, v_b, w_b = motion_of(now, slot, b)
        f = t_a = t_b = (0.0, 0.0, 0.0)
        while joint < count and points[joint, A] == row_a and points[joint, B] == row_b:
            arm_a, at_a, speed_a = _point(R_a, p_a, v_a, w_a, vector_at(points, joint, ARM_A))
            arm_b, at_b, speed_b = _point(R_b, p_b, v_b, w_b, vector_at(points, joint, ARM_B))
            pull, energy, loss, gap2 = joint_force(
                sub(at_b, at_a), sub(speed_b, speed_a), points[joint, STIFFNESS], points[joint, DAMPING]
            )
            f = add(f, pull)
            t_a, t_b = add(t_a, cross(arm_a, pull)), sub(t_b, cross(arm_b, pull))
            stored += energy
            lost += loss
            if not gap2 <= worst:
                worst, worst_at = gap2, joint
            joint += 1
        push_at_centre(force, slot, a, f, t_a)
        push_at_centre(force, slot, b, scale(-1.0, f), t_b)
    record_joint_energy(sums, slot, stored, lost, worst, worst_at)
