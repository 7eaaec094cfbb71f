"""Joint angles of a tendon finger at rest: springs, tendon, stops, and forces that touch it, in balance.

Three bending joints, relative angles t from straight. The tendon runs over pulleys of radii r, is pulled in by s at its
motor, and stretches: T = k_t max(0, s - r.t). Springs pull towards their rest angles: k (t - t_rest). Forces act at points
of the phalanges, in the finger's plane, and keep their direction. Without friction the balance is a stationary point of
    E = sum k (t - t_rest)^2 / 2 + k_t max(0, s - r.t)^2 / 2 - sum f.p(t)   between the stops.
With friction every guide takes its share: after the wraps w_j = w0_j + t_j the tension is T exp(-/+ mu sum w_j) (capstan),
less where the tendon comes in, more where it is let out.

Projected Newton on the joints that are not at their stops, with the forces brought up in steps, so that the answer is the
balance that a finger reaches when it is loaded slowly.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.spatial.kernels.gauss import solve_general
from carpal.spatial.kernels.sincos import sincos

JOINTS = 3
LENGTH, RADIUS, SPRING, REST, LOW, HIGH, WRAP, TENDON = 0, 1, 2, 3, 4, 5, 6, 7
FINGER_ROWS = 8
"""Rows of a finger's numbers, one column a joint; row TENDON holds the tendon's stiffness, mu, and +1 in or -1 out."""
PHALANX, ALONG, FORCE_X, FORCE_Y = 0, 1, 2, 3
LOAD_COLUMNS = 4
TENSION, RESIDUAL, ITERATIONS = 0, 1, 2
REPORT = 3
STAGES, MOST, HALVINGS, SWEEPS = 4, 60, 12, 4
DONE = 1e-13
"""[rad] of the natural residual: how far a joint would move by its own spring to the balance."""


@leaf
def tension_of(finger, s, theta, world, slot):
    """Tendon tension [N] at the motor, zero where it is slack."""
    free = s[world, 0]
    for i in range(JOINTS):
        free -= finger[world, RADIUS, i] * theta[slot, i]
    return finger[world, TENDON, 0] * max(free, 0.0)


@leaf
def natural(finger, theta, torque, world, slot, i):
    """How far [rad] joint i is from its balance: its unbalanced torque over its spring, as far as its stops let it go."""
    t = theta[slot, i]
    wanted = t - torque[slot, i] / finger[world, SPRING, i]
    return t - min(max(wanted, finger[world, LOW, i]), finger[world, HIGH, i])


@kernel
def unbalance(finger, s, loads, share, theta, torque, slope, world, slot):
    """Fill torque[slot] (spring minus tendon minus forces) [N m] and its slope[slot]; returns the tension [N]."""
    tension = tension_of(finger, s, theta, world, slot)
    taut, mu, sense = finger[world, TENDON, 0], finger[world, TENDON, 1], finger[world, TENDON, 2]
    if not tension > 0.0:
        taut = 0.0
    wrapped = 0.0
    for i in range(JOINTS):
        wrapped += finger[world, WRAP, i] + theta[slot, i]
        passed = math.exp(-sense * mu * wrapped) if mu > 0.0 else 1.0
        arm = finger[world, RADIUS, i] * passed
        torque[slot, i] = finger[world, SPRING, i] * (theta[slot, i] - finger[world, REST, i]) - tension * arm
        for k in range(JOINTS):
            slope[slot, i, k] = taut * arm * finger[world, RADIUS, k]
            if k <= i:
                slope[slot, i, k] += sense * mu * tension * arm
        slope[slot, i, i] += finger[world, SPRING, i]
    s1, c1 = sincos(theta[slot, 0])
    s2, c2 = sincos(theta[slot, 0] + theta[slot, 1])
    s3, c3 = sincos(theta[slot, 0] + theta[slot, 1] + theta[slot, 2])
    x1, y1 = finger[world, LENGTH, 0] * c1, finger[world, LENGTH, 0] * s1
    x2, y2 = x1 + finger[world, LENGTH, 1] * c2, y1 + finger[world, LENGTH, 1] * s2
    for n in range(loads.shape[1]):
        phalanx, along = int(loads[world, n, PHALANX]), loads[world, n, ALONG]
        fx, fy = share * loads[world, n, FORCE_X], share * loads[world, n, FORCE_Y]
        px, py = along * c1, along * s1
        if phalanx == 1:
            px, py = x1 + along * c2, y1 + along * s2
        elif phalanx == 2:
            px, py = x2 + along * c3, y2 + along * s3
        for i in range(phalanx + 1):
            rx, ry = px, py
            if i == 1:
                rx, ry = px - x1, py - y1
            elif i == 2:
                rx, ry = px - x2, py - y2
            torque[slot, i] -= rx * fy - ry * fx
            bend = rx * fx + ry * fy
            slope[slot, i, i] += bend
            for k in range(i):
                slope[slot, i, k] += bend
                slope[slot, k, i] += bend
    return tension


@leaf
def worst(finger, theta, torque, world, slot):
    """Largest natural residual [rad]."""
    most = 0.0
    for i in range(JOINTS):
        most = max(most, abs(natural(finger, theta, torque, world, slot, i)))
    return most


@kernel
def newton_step(finger, theta, torque, slope, step, world, slot):
    """Fill step[slot] with a Newton step of the free joints; those held by a stop stay. False where there is none."""
    for i in range(JOINTS):
        t, f = theta[slot, i], torque[slot, i]
        step[slot, i] = -f
        if (t <= finger[world, LOW, i] and f > 0.0) or (t >= finger[world, HIGH, i] and f < 0.0):
            step[slot, i] = 0.0
            for k in range(JOINTS):
                slope[slot, i, k] = 0.0
                slope[slot, k, i] = 0.0
            slope[slot, i, i] = 1.0
    return solve_general(slope, step, slot, JOINTS)


@kernel
def one_by_one(finger, s, loads, share, theta, torque, slope, world, slot):
    """Each joint to its own balance with the others held, a few rounds; returns the tension.

    Newton's steps can come to nothing at a kink (a stop, a tendon going slack); this passes it, as the energy only falls.
    """
    tension = 0.0
    for i in range(SWEEPS * JOINTS):
        j = i % JOINTS
        unbalance(finger, s, loads, share, theta, torque, slope, world, slot)
        t = theta[slot, j] - torque[slot, j] / max(slope[slot, j, j], finger[world, SPRING, j])
        theta[slot, j] = min(max(t, finger[world, LOW, j]), finger[world, HIGH, j])
    tension = unbalance(finger, s, loads, share, theta, torque, slope, world, slot)
    return tension


@kernel
def balance(finger, s, loads, theta, torque, slope, step, before, world, slot):
    """Bring theta[slot] to balance from where it is; returns (tension, residual, iterations)."""
    tension, size, count = 0.0, 0.0, 0
    stages = STAGES if loads.shape[1] > 0 else 1
    for stage in range(stages):
        share = (stage + 1.0) / stages
        tension = unbalance(finger, s, loads, share, theta, torque, slope, world, slot)
        size = worst(finger, theta, torque, world, slot)
        for _ in range(MOST):
            if not size > DONE:
                break
            count += 1
            good = newton_step(finger, theta, torque, slope, step, world, slot)
            for i in range(JOINTS):
                before[slot, i] = theta[slot, i]
                if not good:
                    step[slot, i] = -natural(finger, theta, torque, world, slot, i)
            length, was = 1.0, size
            for half in range(HALVINGS):
                for i in range(JOINTS):
                    t = before[slot, i] + length * step[slot, i]
                    theta[slot, i] = min(max(t, finger[world, LOW, i]), finger[world, HIGH, i])
                tension = unbalance(finger, s, loads, share, theta, torque, slope, world, slot)
                size = worst(finger, theta, torque, world, slot)
                if size < (1.0 - 1e-4 * length) * was or half == HALVINGS - 1:
                    break
                length *= 0.5
            if not size < was:
                tension = one_by_one(finger, s, loads, share, theta, torque, slope, world, slot)
                size = worst(finger, theta, torque, world, slot)
    return tension, size, count


@entry
def balance_batch(finger, s, loads, theta_out, report, theta, torque, slope, step, before, start, stop, stride, slot):
    """Angles (world, 3) and report (tension, residual, iterations) of fingers pulled in by s (world, 1).

    Args:
        finger: (world, FINGER_ROWS, 3).
        s: (world, 1) [m].
        loads: (world, n, LOAD_COLUMNS): phalanx 0 to 2, distance along it [m], force along and across the straight finger [N].
    """
    for world in range(start, stop, stride):
        for i in range(
            JOINTS
        ):  # a tendon that was let out comes from the closed finger: the other side of the friction
            theta[slot, i] = finger[world, LOW if finger[world, TENDON, 2] > 0.0 else HIGH, i]
        tension, size, count = balance(finger, s, loads, theta, torque, slope, step, before, world, slot)
        for i in range(JOINTS):
            theta_out[world, i] = theta[slot, i]
        report[world, TENSION], report[world, RESIDUAL], report[world, ITERATIONS] = tension, size, count
        if 0.0 * size != 0.0:
            return 1 + world
    return 0
