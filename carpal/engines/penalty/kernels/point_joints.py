"""Spherical joints by penalty: a stiff spring and a damper between two points (thesis 1, eq. 2.4 to 2.13).

The damping is the vector form c d' (erratum E7: the printed c d d' has no unit of force), and A is pulled towards B's point
while B gets the opposite (E8). A revolute joint is two of these on a line.
"""

from carpal._jit import kernel, leaf
from carpal.engines.penalty.kernels.state import GAP, GAP_JOINT, POWER_LOST, STORED, point_motion, push
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, dot, scale, sub

# bodies, the point from each centre of mass, stiffness [N/m], damping [N s/m]
A, B, ARM_A, ARM_B, STIFFNESS, DAMPING = 0, 1, 2, 5, 8, 9
POINT_COLUMNS = 10


@leaf
def pull_together(a, arm_a, b, arm_b, gap, rate, stiffness, damping, joint, force, sums, slot):
    """Force k gap + c gap' on A, its opposite on B; books the spring's energy and the damper's loss."""
    f = add(scale(stiffness, gap), scale(damping, rate))
    push(force, slot, a, arm_a, f)
    push(force, slot, b, arm_b, scale(-1.0, f))
    gap2 = dot(gap, gap)
    sums[slot, STORED] += 0.5 * stiffness * gap2
    sums[slot, POWER_LOST] += damping * dot(rate, rate)
    if not gap2 <= sums[slot, GAP]:  # also when it is not a number
        sums[slot, GAP], sums[slot, GAP_JOINT] = gap2, joint


@kernel
def point_joint_forces(points, now, force, sums, slot):
    """All point joints of a world. `sums[GAP]` holds the largest squared gap [m^2]."""
    for joint in range(points.shape[0]):
        a, b = int(points[joint, A]), int(points[joint, B])
        arm_a, at_a, v_a = point_motion(now, slot, a, vector_at(points, joint, ARM_A))
        arm_b, at_b, v_b = point_motion(now, slot, b, vector_at(points, joint, ARM_B))
        pull_together(
            a, arm_a, b, arm_b, sub(at_b, at_a), sub(v_b, v_a), points[joint, STIFFNESS], points[joint, DAMPING],
            joint, force, sums, slot,
        )  # fmt: skip
