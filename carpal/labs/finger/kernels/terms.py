"""The spring finger's Lagrangian in absolute angles: inertia, springs, gravity, loads (Prabhu 2018, chapter 6, corrected).

K = 1/2 w' M(theta) w and U = gravity + springs, with theta_i the angle of phalanx i from the y axis towards x. The energies
(6.12) and (6.19) are right as printed; the equations of motion (6.30) to (6.34) are not (half of each spring's diagonal
term, c1 - c2 for c1 + c2, X2 for X3), so they are derived here from the energies. Beyond Prabhu: gravity in any
direction, springs with a neutral angle of their own, mass centres anywhere on the phalanx, a tendon, and a force at the tip.
An angle between phalanges is q_i = theta_i - theta_(i-1); a torque tau_i at joint i acts as (tau1 - tau2, tau2 - tau3, tau3)
on absolute angles (F-3).
"""

from carpal._core.compile import leaf
from carpal.kinematics.kernels.state import vector_of
from carpal.spatial.kernels.sincos import sincos

# columns of a finger's row: M11 M22 M33, then the factors of cos(theta_j - theta_i) in M12 M13 M23; first moments about each
# joint; gravity along x and y; springs; neutral angles; dampers; lengths; lever arms of the tendon
INERTIA, MOMENT, GRAVITY, STIFFNESS, NEUTRAL, DAMPING, LENGTH, ARM = 0, 6, 9, 11, 14, 17, 20, 23
COLUMNS = 26
# columns of a load: joint torques, tendon tension, force on the tip along x and y, force on the tip across the last phalanx
# (it turns with it), moment on the last phalanx (Prabhu's F)
TORQUE, TENSION, TIP, ACROSS, TURN = 0, 3, 4, 6, 7
LOADS = 8


@leaf
def absolute(q):
    """Angles from the y axis, of angles between phalanges; the same sum turns rates."""
    return q[0], q[0] + q[1], q[0] + q[1] + q[2]


@leaf
def relative(theta):
    """Angles between phalanges, of angles from the y axis."""
    return theta[0], theta[1] - theta[0], theta[2] - theta[1]


@leaf
def sines(theta):
    """Sines (3) and cosines (3)."""
    s1, c1 = sincos(theta[0])
    s2, c2 = sincos(theta[1])
    s3, c3 = sincos(theta[2])
    return (s1, s2, s3), (c1, c2, c3)


@leaf
def mass_entries(rows, world, s, c):
    """The mass matrix: 11, 12, 13, 22, 23, 33 [kg m^2]."""
    return (
        rows[world, 0],
        rows[world, 3] * (c[1] * c[0] + s[1] * s[0]),
        rows[world, 4] * (c[2] * c[0] + s[2] * s[0]),
        rows[world, 1],
        rows[world, 5] * (c[2] * c[1] + s[2] * s[1]),
        rows[world, 2],
    )


@leaf
def inverse_entries(M):
    """Inverse of a symmetric 3x3 matrix, entries 11, 12, 13, 22, 23, 33; not finite where it has none."""
    a, b, c, d, e, f = M
    df, bc, be = d * f - e * e, c * e - b * f, b * e - c * d
    r = 1.0 / (a * df + b * bc + c * be)
    return df * r, bc * r, be * r, (a * f - c * c) * r, (b * c - a * e) * r, (a * d - b * b) * r


@leaf
def times(M, x):
    """A symmetric matrix times a vector."""
    return (
        M[0] * x[0] + M[1] * x[1] + M[2] * x[2],
        M[1] * x[0] + M[3] * x[1] + M[4] * x[2],
        M[2] * x[0] + M[4] * x[1] + M[5] * x[2],
    )


@leaf
def solved(M, b):
    """M^-1 b by elimination without pivots, which a positive-definite matrix allows."""
    l2, l3 = M[1] / M[0], M[2] / M[0]
    d2, e = M[3] - l2 * M[1], M[4] - l2 * M[2]
    l32 = e / d2
    d3 = M[5] - l3 * M[2] - l32 * e
    y2 = b[1] - l2 * b[0]
    z = (b[2] - l3 * b[0] - l32 * y2) / d3
    y = (y2 - e * z) / d2
    return (b[0] - M[1] * y - M[2] * z) / M[0], y, z


@leaf
def load_row(table, i):
    """The eight numbers of a load."""
    return (
        table[i, 0], table[i, 1], table[i, 2], table[i, 3], table[i, 4], table[i, 5], table[i, 6], table[i, 7],
    )  # fmt: skip


@leaf
def between(a, b, share):
    """The load at a share of the way from one to another."""
    r = 1.0 - share
    return (
        r * a[0] + share * b[0], r * a[1] + share * b[1], r * a[2] + share * b[2], r * a[3] + share * b[3],
        r * a[4] + share * b[4], r * a[5] + share * b[5], r * a[6] + share * b[6], r * a[7] + share * b[7],
    )  # fmt: skip


@leaf
def load_moments(rows, world, s, c, load):
    """What the loads do on absolute angles [N m]."""
    pull = load[TENSION]
    t1 = load[0] + rows[world, ARM] * pull
    t2 = load[1] + rows[world, ARM + 1] * pull
    t3 = load[2] + rows[world, ARM + 2] * pull
    fx, fy = load[TIP] + load[ACROSS] * c[2], load[TIP + 1] - load[ACROSS] * s[2]
    L1, L2, L3 = vector_of(rows, world, LENGTH)
    return (
        t1 - t2 + L1 * (fx * c[0] - fy * s[0]),
        t2 - t3 + L2 * (fx * c[1] - fy * s[1]),
        t3 + load[TURN] + L3 * (fx * c[2] - fy * s[2]),
    )


@leaf
def spring_torques(rows, world, q):
    """What the springs do at each joint: k (neutral - q) [N m]."""
    return (
        rows[world, STIFFNESS] * (rows[world, NEUTRAL] - q[0]),
        rows[world, STIFFNESS + 1] * (rows[world, NEUTRAL + 1] - q[1]),
        rows[world, STIFFNESS + 2] * (rows[world, NEUTRAL + 2] - q[2]),
    )


@leaf
def static_moments(rows, world, theta, s, c, load):
    """-dU/dtheta and the loads: everything that does not need a speed [N m]."""
    t = spring_torques(rows, world, relative(theta))
    Q = load_moments(rows, world, s, c, load)
    gx, gy = rows[world, GRAVITY], rows[world, GRAVITY + 1]
    return (
        t[0] - t[1] + rows[world, MOMENT] * (gx * c[0] - gy * s[0]) + Q[0],
        t[1] - t[2] + rows[world, MOMENT + 1] * (gx * c[1] - gy * s[1]) + Q[1],
        t[2] + rows[world, MOMENT + 2] * (gx * c[2] - gy * s[2]) + Q[2],
    )


@leaf
def damping_moments(rows, world, w):
    """What the dampers do on absolute angles [N m]."""
    t1 = -rows[world, DAMPING] * w[0]
    t2 = -rows[world, DAMPING + 1] * (w[1] - w[0])
    t3 = -rows[world, DAMPING + 2] * (w[2] - w[1])
    return t1 - t2, t2 - t3, t3


@leaf
def configuration_moments(rows, world, s, c, w):
    """dK/dtheta at fixed rates [N m]."""
    a = rows[world, 3] * (s[1] * c[0] - c[1] * s[0]) * w[0] * w[1]
    b = rows[world, 4] * (s[2] * c[0] - c[2] * s[0]) * w[0] * w[2]
    d = rows[world, 5] * (s[2] * c[1] - c[2] * s[1]) * w[1] * w[2]
    return a + b, d - a, -b - d


@leaf
def stiffness_entries(rows, world, s, c, load):
    """Hessian of U and of the loads' potential in absolute angles: 11, 12, 13, 22, 23, 33 [N m/rad].

    A force across the last phalanx has no potential; it counts here as if it stood still.
    """
    k1, k2, k3 = vector_of(rows, world, STIFFNESS)
    gx, gy = rows[world, GRAVITY], rows[world, GRAVITY + 1]
    fx, fy = load[TIP] + load[ACROSS] * c[2], load[TIP + 1] - load[ACROSS] * s[2]
    bend1 = (rows[world, MOMENT] * gx + rows[world, LENGTH] * fx) * s[0]
    bend1 += (rows[world, MOMENT] * gy + rows[world, LENGTH] * fy) * c[0]
    bend2 = (rows[world, MOMENT + 1] * gx + rows[world, LENGTH + 1] * fx) * s[1]
    bend2 += (rows[world, MOMENT + 1] * gy + rows[world, LENGTH + 1] * fy) * c[1]
    bend3 = (rows[world, MOMENT + 2] * gx + rows[world, LENGTH + 2] * fx) * s[2]
    bend3 += (rows[world, MOMENT + 2] * gy + rows[world, LENGTH + 2] * fy) * c[2]
    return k1 + k2 + bend1, -k2, 0.0, k2 + k3 + bend2, -k3, k3 + bend3


@leaf
def kinetic(M, w):
    """1/2 w' M w [J]."""
    p = times(M, w)
    return 0.5 * (p[0] * w[0] + p[1] * w[1] + p[2] * w[2])


@leaf
def gravity_energy(rows, world, s, c):
    """[J], zero with all mass at the first joint."""
    gx, gy = rows[world, GRAVITY], rows[world, GRAVITY + 1]
    U = rows[world, MOMENT] * (gx * s[0] + gy * c[0]) + rows[world, MOMENT + 1] * (gx * s[1] + gy * c[1])
    return -(U + rows[world, MOMENT + 2] * (gx * s[2] + gy * c[2]))


@leaf
def spring_energy(rows, world, q):
    """1/2 sum of k (q - neutral)^2 [J]."""
    U = 0.0
    for i in range(3):
        d = q[i] - rows[world, NEUTRAL + i]
        U += 0.5 * rows[world, STIFFNESS + i] * d * d
    return U
