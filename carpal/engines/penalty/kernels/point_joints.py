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
def pull_together(a, arm_a, b, arm_b, gap, rate, stiffness, damping, force, slot):
    """Force k gap + c gap' on A, its opposite on B. Returns the spring's energy, the damper's loss and the squared gap."""
    f = add(scale(stiffness, gap), scale(damping, rate))
    push(force, slot, a, arm_a, f)
    push(force, slot, b, arm_b, scale(-1.0, f))
    gap2 = dot(gap, gap)
    return 0.5 * stiffness * gap2, damping * dot(rate, rate), gap2


@leaf
def book_joints(sums, slot, stored, lost, worst, joint):
    """Add what a kind of joint stored and lost, and its worst gap where it is the worst of all."""
    sums[slot, STORED] += stored
    sums[slot, POWER_LOST] += lost
    if not worst <= sums[slot, GAP]:  # also when it is not a number
        sums[slot, GAP], sums[slot, GAP_JOINT] = worst, joint


@kernel
def point_joint_forces(points, now, force, sums, slot):
    """All point joints of a world. `sums[GAP]` holds the largest squared gap [m^2]."""
    stored = lost = worst = 0.0  # in registers: sums in memory would wait for each other's stores
    at = 0
    for joint in range(points.shape[0]):
        a, b = int(points[joint, A]), int(points[joint, B])
        arm_a, at_a, v_a = point_motion(now, slot, a, vector_at(points, joint, ARM_A))
        arm_b, at_b, v_b = point_motion(now, slot, b, vector_at(points, joint, ARM_B))
        energy, loss, gap2 = pull_together(
            a, arm_a, b, arm_b, sub(at_b, at_a), sub(v_b, v_a), points[joint, STIFFNESS], points[joint, DAMPING],
            force, slot,
        )  # fmt: skip
        stored += energy
        lost += loss
        if not gap2 <= worst:
            worst, at = gap2, joint
    book_joints(sums, slot, stored, lost, worst, at)
