"""Forces along weighted sums of joint positions: joint springs, tendons of the model, one-sided tendons, actuators.

The length of a line is s = c . q, its rate c . v, and a tension T puts the force -c T on the joints. Laws:

    CORD    T = k (s - high) above `high`, k (s - low) below `low`, 0 between; + d rate + f tanh(rate / v_s)
    PULL    as `kernels/tendons.py`: T = max(0, T_0 + k s + d rate) while T_0 + k s > 0
    DRIVE   -T = gain ctrl + b_0 + b_1 s + b_2 rate, ctrl and the force within their ranges (an `Actuator`)

A joint's spring is a CORD with one coefficient and low = high. Each law is evaluated as an elastic part, a stiffness and a
damping: T(rate') = elastic + (damping + h stiffness) rate' is the tension at the end of an implicit step of length h.
Friction enters by its secant f tanh(rate / v_s) / rate, so that an implicit step slows a line down and never turns it round.
"""

import math

from carpal._core.compile import kernel

# after the coefficients (nq for lengths, nv for rates and forces)
LAW = 0
CORD, PULL, DRIVE = 0, 1, 2
STIFFNESS, DAMPING = 1, 2
FRICTION, LOW, HIGH = 3, 4, 5  # of a CORD
PRETENSION = 3  # of a PULL
GAIN, BIAS, FORCE_LOW, FORCE_HIGH, CTRL_LOW, CTRL_HIGH, CTRL = (
    1,
    2,
    5,
    6,
    7,
    8,
    9,
)  # of a DRIVE; CTRL is its index in ctrl
LINE_COLUMNS = 10
# what `evaluate_lines` finds for each line
ELASTIC, STIFF, DAMP = 0, 1, 2
FOUND_COLUMNS = 3


@kernel
def evaluate_lines(lines, ctrl, smooth, q, v, found, world, slot):
    """Fill found[slot] (lines, 3) at q[slot], v[slot]; `smooth` is v_s, `ctrl` is indexed by world."""
    nq, nv = q.shape[1], v.shape[1]
    last = nq + nv
    for i in range(lines.shape[0]):
        s, rate = 0.0, 0.0
        for j in range(nq):
            s += lines[i, j] * q[slot, j]
        for j in range(nv):
            rate += lines[i, nq + j] * v[slot, j]
        law = lines[i, last + LAW]
        elastic, stiff, damp = 0.0, 0.0, 0.0
        if law == CORD:
            beyond = s - lines[i, last + HIGH]
            if beyond <= 0.0:
                beyond = min(0.0, s - lines[i, last + LOW])
            if beyond != 0.0 or lines[i, last + LOW] == lines[i, last + HIGH]:
                stiff = lines[i, last + STIFFNESS]
            elastic, damp = stiff * beyond, lines[i, last + DAMPING]
            speed, dry = abs(rate), lines[i, last + FRICTION]
            if dry > 0.0:
                damp += dry * math.tanh(speed / smooth) / speed if speed > 0.0 else dry / smooth
        elif law == PULL:
            pull = lines[i, last + PRETENSION] + lines[i, last + STIFFNESS] * s
            if pull > 0.0:
                elastic, stiff, damp = pull, lines[i, last + STIFFNESS], lines[i, last + DAMPING]
                if elastic + damp * rate < 0.0:
                    damp = -elastic / rate
        else:
            command = ctrl[world, int(lines[i, last + CTRL])]
            command = min(max(command, lines[i, last + CTRL_LOW]), lines[i, last + CTRL_HIGH])
            first, second = lines[i, last + BIAS + 1], lines[i, last + BIAS + 2]
            force = lines[i, last + GAIN] * command + lines[i, last + BIAS] + first * s + second * rate
            held = min(max(force, lines[i, last + FORCE_LOW]), lines[i, last + FORCE_HIGH])
            elastic = -held
            if held == force:
                stiff, damp = max(0.0, -first), max(0.0, -second)
                elastic -= damp * rate
        found[slot, i, ELASTIC], found[slot, i, STIFF], found[slot, i, DAMP] = elastic, stiff, damp


@kernel
def add_lines(lines, found, nq, ahead, v, passive, elastic, drive, slot):
    """Add the lines' forces at the velocity v[slot] to what dissipates, what stores and what drives.

    `ahead` is the length of an implicit step, at whose end they act, or zero.
    """
    last = nq + v.shape[1]
    for i in range(lines.shape[0]):
        rate = 0.0
        for j in range(v.shape[1]):
            rate += lines[i, nq + j] * v[slot, j]
        kept = found[slot, i, ELASTIC] + ahead * found[slot, i, STIFF] * rate
        lost = found[slot, i, DAMP] * rate
        driven = lines[i, last + LAW] == DRIVE
        for j in range(v.shape[1]):
            c = lines[i, nq + j]
            if c == 0.0:
                continue
            if driven:
                drive[slot, j] -= c * (kept + lost)
            else:
                elastic[slot, j] -= c * kept
                passive[slot, j] -= c * lost


@kernel
def add_line_stiffness(lines, found, nq, dt, v, given, M, rhs, slot):
    """Add dt damping + dt^2 stiffness of every line to the lower triangle of M[slot], and their share to the right side.

    `given` holds the accelerations of prescribed joints and zero for all others.
    """
    for i in range(lines.shape[0]):
        k = dt * found[slot, i, STIFF]
        both = dt * (k + found[slot, i, DAMP])
        if both == 0.0:
            continue
        rate, known = 0.0, 0.0
        for j in range(v.shape[1]):
            rate += lines[i, nq + j] * v[slot, j]
            known += lines[i, nq + j] * given[slot, j]
        for a in range(v.shape[1]):
            c = lines[i, nq + a]
            if c == 0.0:
                continue
            rhs[slot, a] -= c * (k * rate + both * known)
            for b in range(a + 1):
                M[slot, a, b] += both * c * lines[i, nq + b]
