"""The arm angle: how far the elbow is turned about the line from shoulder to wrist (Prabhu 2018, 5.2)."""

import math

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.state import all_finite
from carpal.kinematics.redundant.kernels.srs_pose import LINK1, LINK2, OFFSET, TINY, elbow_turns
from carpal.spatial.kernels.arctangent import arctan2
from carpal.spatial.kernels.sincos import sincos


@kernel
def arm_angle_of(numbers, q1, q2, q3, q4):
    """(psi, cos azimuth, sin azimuth, whether the wrist is over the first axis) of four joint angles.

    Over the first axis the azimuth counts as zero, so psi is then the elbow's own azimuth.
    """
    s1, c1 = sincos(q1 - numbers[OFFSET])
    s2, c2 = sincos(q2 - numbers[OFFSET + 1])
    s3, c3 = sincos(q3 - numbers[OFFSET + 2])
    s4, c4 = sincos(q4 - numbers[OFFSET + 3])
    ce, se, _, _ = elbow_turns(numbers, c4, s4, 1.0 if s4 >= 0.0 else -1.0)
    # Ry(t2) Rz(t3) applied to u = (se, 0, ce) and to x = (ce, 0, -se); the first joint only adds to the azimuth
    ux, uy, uz = c2 * c3 * se + s2 * ce, s3 * se, c2 * ce - s2 * c3 * se
    xx, xy, xz = c2 * c3 * ce - s2 * se, s3 * ce, -c2 * se - s2 * c3 * ce
    rho = math.sqrt(ux * ux + uy * uy)
    n = math.sqrt(numbers[LINK1] ** 2 + numbers[LINK2] ** 2 + 2.0 * numbers[LINK1] * numbers[LINK2] * c4)
    free = rho * n <= TINY * (numbers[LINK1] + numbers[LINK2])
    ca, sa, cp, sp = c1, -s1, (-1.0 if uz < 0.0 else 1.0), 0.0  # azimuth zero, seen after the first joint
    if not free:
        ca, sa, cp, sp = ux / rho, uy / rho, uz, rho
    psi = arctan2(ca * xy - sa * xx, cp * (ca * xx + sa * xy) - sp * xz)
    return psi, c1 * ca - s1 * sa, s1 * ca + c1 * sa, free


@entry
def arm_angle_batch(numbers, columns, q, out, start, stop, stride, slot):
    """Psi and a flag for a wrist over the first axis, of every world; `columns` are the arm's seven places in q."""
    bad = 0
    for world in range(start, stop, stride):
        psi, _, _, free = arm_angle_of(
            numbers, q[world, columns[0]], q[world, columns[1]], q[world, columns[2]], q[world, columns[3]]
        )
        out[world, 0] = psi
        out[world, 1] = 1.0 if free else 0.0
        if not (all_finite(q, world) and 0.0 * psi == 0.0) and bad == 0:
            bad = world + 1
    return bad
