"""One frictional collision at one contact, by integration in the normal impulse (Routh; Mirtich 1996; Chan 1998, chapter 4).

Phases: sliding (`impact_slide`), then, if the slip stops, stick or a new slip along the diverging ray (`impact_stick`); both
of these have a constant direction of the impulse, so they are closed forms. Restitution by Stronge's rule (the normal work
given back is e^2 times the work of compression) or by Poisson's (impulses instead of works, Chan's (4.1)). The tangential
impulse is accumulated; recovered as K^-1 (u - u0), as in Alg. 5.6, it leaves the cone. Corrected: E14 to E18; stable stick gains
1 / (K^-1)_33 per impulse, the Schur complement, not k_33 (E15). Where Poisson's rule would gain energy (E19) the collision
ends at the energy-neutral impulse, marked CLAMPED. A normal speed that turns back in restitution is compressed again.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.engines.modal.kernels.contact_modes import FREE, SLIDE, STICK
from carpal.engines.modal.kernels.impact_slide import slide_step, speeds
from carpal.engines.modal.kernels.impact_stick import diverging_ray, normal_gain, stick_ratio

STRONGE, POISSON = 0, 1
# what happened on the way
STUCK, REVERSED, CLAMPED, JAMMED, PAINLEVE, UNFINISHED, RECOMPRESSED = 1, 2, 4, 8, 16, 32, 64
# why a step ended; RUNNING is none
_RUNNING, _COMPRESSED, _RETURNED, _DONE, _NEUTRAL = 0, 1, 2, 3, 4
# columns of a path: impulse (3), velocity (3), normal work, 1 while sliding or 0
PATH = 8
TOLERANCE = 1e-12  # of the impulse, in one step
STILL = 1e-11  # slip that counts as stopped, of the speeds that were summed up to it
SETTLED = 1e-11  # turning of the slip that counts as none, of the largest gain
ROUNDING = 1e-15
SHARE = 1e-8  # of the slip that is left, in one step
STEPS = 4000
RESULT = 11


@leaf
def _energy(u0, u, P):
    """Kinetic energy gained [J]."""
    return 0.5 * ((u0[0] + u[0]) * P[0] + (u0[1] + u[1]) * P[1] + (u0[2] + u[2]) * P[2])


@leaf
def _spent(law, y):
    """What restitution is counted in: normal work or normal impulse."""
    return y[3] if law == STRONGE else y[2]


@leaf
def _goal(law, e, now, goal, mark):
    """Where restitution ends, for a compression from `mark` to `now`, with what an earlier one still had to give."""
    return now + goal - mark + (e * e * (mark - now) if law == STRONGE else e * (now - mark))


@leaf
def _beyond(what, K, u0, y, law, goal):
    """Above zero once the event has happened."""
    if what == _DONE:
        return _spent(law, y) - goal
    u = speeds(K, u0, y)
    if what == _NEUTRAL:
        return _energy(u0, u, y)
    return u[2] if what == _COMPRESSED else -u[2]


@kernel
def _locate(what, K, u0, mu, y, h, law, goal):
    """Length of the step from y at whose end the event happens; it has happened after h, and not before."""
    low, high = 0.0, h
    f_low = _beyond(what, K, u0, y, law, goal)
    f_high = _beyond(what, K, u0, slide_step(K, u0, mu, y, h)[0], law, goal)
    side = 0
    for _ in range(80):
        middle = (low * f_high - high * f_low) / (f_high - f_low) if f_high > f_low else 0.5 * (low + high)
        if not low < middle < high:
            middle = 0.5 * (low + high)
        f = _beyond(what, K, u0, slide_step(K, u0, mu, y, middle)[0], law, goal)
        if f > 0.0:
            high, f_high = middle, f
            if side == 1:
                f_low *= 0.5  # regula falsi with the Illinois rule: neither end stays for long
            side = 1
        else:
            low, f_low = middle, f
            if side == -1:
                f_high *= 0.5
            side = -1
        if f == 0.0:
            return middle
        if high - low <= 1e-15 * h:
            break
    return high


@leaf
def _slip_rates(K, mu, x, z):
    """(growth, turning, whether turning brings the slip back to this direction) of a slip along (x, z), per impulse."""
    px, pz = K[0] * x + K[3] * z, K[3] * x + K[1] * z
    across = x * (K[1] * x - K[3] * z) + z * (K[0] * z - K[3] * x)
    growth = K[4] * x + K[5] * z - mu * (px * x + pz * z)
    turning = K[5] * x - K[4] * z - mu * (pz * x - px * z)
    return growth, turning, mu * across + growth > 0.0


@leaf
def _stopped(K, u0, mu, y):
    """The same impulse without the rest of slip that the tolerance left, where the cone has room for it."""
    u = speeds(K, u0, y)
    x, z = stick_ratio((K[0], K[1], K[2], K[3], u[0], u[1]))
    x, z = y[0] + x, y[1] + z
    return (x, z, y[2], y[3]) if x * x + z * z <= mu * mu * y[2] * y[2] else y


@leaf
def _note(path, world, rows, row, K, u0, y, sliding):
    """Write a row of the path, if there is room."""
    if row < rows:
        u = speeds(K, u0, y)
        for i in range(3):
            path[world, row, i] = y[i]
            path[world, row, 3 + i] = u[i]
        path[world, row, 6] = y[3]
        path[world, row, 7] = sliding
        return row + 1
    return row


@leaf
def _neutral(K, u0, u, y, x, z, gain):
    """Normal impulse further on at which the energy lost so far has come back; infinite where it does not."""
    now = _energy(u0, u, y)
    slope = u[0] * x + u[1] * z + u[2]
    bend = 0.5 * (x * (K[0] * x + K[3] * z + K[4]) + z * (K[3] * x + K[1] * z + K[5]) + gain)
    root = slope * slope - 4.0 * bend * now
    if not bend > 0.0 or root < 0.0:
        return math.inf
    root = math.sqrt(root)
    return max(-2.0 * now / (slope + root) if slope > 0.0 else (root - slope) / (2.0 * bend), 0.0)


@kernel
def _straight(K, u0, y, x, z, most, law, e, compressing, goal, mark):
    """A closed form: impulse (x, z, 1) per normal impulse, up to `most` or to the collision's end.

    Returns (y, y at the end of compression, compressing, goal, mark, ended, flags).
    """
    gain = normal_gain(K, x, z)
    turn, flags = y, 0
    for _ in range(4):
        u = speeds(K, u0, y)
        d, ended, cut = most, False, 0
        if compressing:
            if gain > 1e-13 * K[2]:
                d = min(max(-u[2] / gain, 0.0), most)
            elif most == math.inf:
                return y, turn, compressing, goal, mark, True, JAMMED
        else:
            left = max(goal - _spent(law, y), 0.0)
            root = u[2] * u[2] + 2.0 * gain * left
            if law == POISSON or root >= 0.0:
                root = max(u[2], 0.0) + math.sqrt(max(root, 0.0))
                done = left if law == POISSON else (2.0 * left / root if root > 0.0 else 0.0)
                if done <= d:
                    d, ended = done, True
            neutral = _neutral(K, u0, u, y, x, z, gain)
            if neutral < (1.0 - 1e-9) * d:
                d, ended, cut = neutral, True, CLAMPED
            if gain < 0.0 and max(-u[2] / gain, 0.0) < d:
                d, ended, cut = max(-u[2] / gain, 0.0), False, 0
        y = (y[0] + d * x, y[1] + d * z, y[2] + d, y[3] + d * (u[2] + 0.5 * gain * d))
        most -= d
        if ended or not most > 0.0:
            return y, turn, compressing, goal, mark, ended, flags | cut
        if compressing:
            compressing, turn = False, y
            goal = _goal(law, e, _spent(law, y), goal, mark)
            if e == 0.0:
                return y, turn, compressing, goal, mark, True, flags
        else:
            compressing, mark = True, _spent(law, y)
            flags |= RECOMPRESSED
    return y, turn, compressing, goal, mark, False, flags


@kernel
def hit_contact(K, u0, mu, e, law, path, world, rows):
    """(impulse (3), velocity after (3), mode, flags, normal work [J], rows written, restitution owed [J, N s]) of one collision.

    Args:
        K: (6) velocity gained per impulse at the contact [1/kg], symmetric (xx, yy, zz, xy, xz, yz), normal last.
        u0: (3) velocity of B relative to A before, in contact axes [m/s]; normal speed below zero approaches.
        mu: coefficient of friction. e: restitution, 0 to 1. law: STRONGE or POISSON.
        path: [world, row, PATH], written up to `rows` rows; with rows = 0 any array will do.
    """
    y = (0.0, 0.0, 0.0, 0.0)
    s0 = math.sqrt(u0[0] * u0[0] + u0[1] * u0[1])
    rate = K[2] * s0 - mu * (K[4] * u0[0] + K[5] * u0[1])  # of the normal speed while sliding, times the slip
    flags = PAINLEVE if mu > 0.0 and s0 > 0.0 and rate <= 0.0 else 0
    if u0[2] > 0.0 or (u0[2] == 0.0 and not (flags and rate < 0.0)):
        return (0.0, 0.0, 0.0), u0, FREE, 0, 0.0, 0, 0.0
    if not K[2] > 0.0:
        return (0.0, 0.0, 0.0), u0, FREE, JAMMED, 0.0, 0, 0.0
    row = _note(path, world, rows, 0, K, u0, y, 1.0)
    largest = max(max(K[0], K[1]), K[2])
    first = -u0[2] / K[2] if u0[2] < 0.0 else s0 / largest  # impulse that the tolerance is measured with
    compressing, goal, mark, ended = True, 0.0, 0.0, False
    sliding = mu > 0.0 and s0 > STILL * (s0 - u0[2])
    h = 0.1 * min(1.0 / (largest * (1.0 + mu)), first / s0) if sliding else 0.0
    steps, s, u = 0, s0, u0
    while sliding and not ended and steps < STEPS:
        steps += 1
        x, z = -mu * u[0] / s, -mu * u[1] / s
        growth, turning, firm = _slip_rates(K, mu, u[0] / s, u[1] / s)
        # a direction that holds itself, as far as the steps' errors let it be seen, or one that symmetry holds
        scale = max(first, y[2])
        floor = ROUNDING * (s0 + largest * (1.0 + mu) * y[2])
        seen = 10.0 * max(min(SHARE, TOLERANCE * largest * scale / s), floor / s)
        settled = max(SETTLED, seen) if firm else 1e-15
        if abs(turning) <= settled * largest:
            most = s / -growth if growth < 0.0 else math.inf
            y, at, compressing, goal, mark, ended, more = _straight(
                K, u0, y, x, z, most, law, e, compressing, goal, mark
            )
            flags |= more
            if at[2] < y[2]:
                row = _note(path, world, rows, row, K, u0, at, 1.0)
            row = _note(path, world, rows, row, K, u0, y, 1.0)
            sliding = ended
            continue
        after, off, off_w = slide_step(K, u0, mu, y, h)
        # the second holds the direction of a slip that nearly stops and may grow again, as far as rounding lets it
        off = max(off / (TOLERANCE * scale), off * largest / (SHARE * s + floor))
        off = max(off, off_w / (TOLERANCE * scale * (largest * scale + s0)))
        if off > 1.0:
            h *= max(0.2, 0.9 * off**-0.2)
            continue
        # the first of the events that this step has passed
        what, part = _RUNNING, h
        if compressing:
            if _beyond(_COMPRESSED, K, u0, after, law, goal) > 0.0:
                what, part = _COMPRESSED, _locate(_COMPRESSED, K, u0, mu, y, h, law, goal)
        else:
            for event in (_RETURNED, _DONE, _NEUTRAL):
                if _beyond(event, K, u0, after, law, goal) > 0.0:
                    at_event = _locate(event, K, u0, mu, y, h, law, goal)
                    if what == _RUNNING or at_event < (1.0 - 1e-9) * part:
                        what, part = event, at_event
        if what == _RUNNING:
            h *= min(4.0, 0.9 * max(off, 1e-10) ** -0.2)
        else:
            after = slide_step(K, u0, mu, y, part)[0]
        y = after
        row = _note(path, world, rows, row, K, u0, y, 1.0)
        if what == _COMPRESSED:
            compressing = False
            goal = _goal(law, e, _spent(law, y), goal, mark)
            ended = e == 0.0
        elif what == _RETURNED:
            compressing, mark = True, _spent(law, y)
            flags |= RECOMPRESSED
        elif what != _RUNNING:
            ended = True
            flags |= CLAMPED if what == _NEUTRAL else 0
        u = speeds(K, u0, y)
        s = math.sqrt(u[0] * u[0] + u[1] * u[1])
        sliding = ended or s > STILL * (s0 + largest * (1.0 + mu) * y[2])
    mode = SLIDE
    if sliding and not ended:
        flags |= UNFINISHED
    elif not ended:
        flags |= STUCK if steps > 0 else 0
        x, z = stick_ratio(K)
        mode = STICK
        if mu <= 0.0:
            x, z, mode = 0.0, 0.0, SLIDE if s0 > STILL * (s0 - u0[2]) else STICK
        elif x * x + z * z > mu * mu:
            x, z = diverging_ray(K, mu)
            x, z, mode = -mu * x, -mu * z, SLIDE
            flags |= REVERSED if steps > 0 else 0
        slipping = 1.0 if mode == SLIDE else 0.0
        if steps > 0:
            y = _stopped(K, u0, mu, y)
        row = _note(path, world, rows, row, K, u0, y, slipping)
        before = compressing
        y, at, compressing, goal, _, _, more = _straight(K, u0, y, x, z, math.inf, law, e, compressing, goal, mark)
        flags |= more
        if before:
            row = _note(path, world, rows, row, K, u0, at, slipping)
        row = _note(path, world, rows, row, K, u0, y, slipping)
    limit, length = mu * y[2], math.sqrt(y[0] * y[0] + y[1] * y[1])
    trim = limit / length if length > limit else 1.0  # rounding only: every increment lies in the cone
    P = (trim * y[0], trim * y[1], y[2])
    kept = compressing or (law == POISSON and flags & CLAMPED != 0)
    return P, speeds(K, u0, P), mode, flags, y[3], row, 0.0 if kept else goal - _spent(law, y)


@entry
def impact_batch(law, K, u, mu, e, result, path, start, stop, stride, slot):
    """K (worlds, 6), u (worlds, 3), mu, e (worlds, 1) -> result (worlds, 11), path (worlds, rows, 8).

    A result is impulse (3), velocity after (3), mode, flags, normal work, work of friction, rows of the path.
    """
    for world in range(start, stop, stride):
        M = (K[world, 0], K[world, 1], K[world, 2], K[world, 3], K[world, 4], K[world, 5])
        v = (u[world, 0], u[world, 1], u[world, 2])
        P, after, mode, flags, work, rows, _ = hit_contact(
            M, v, mu[world, 0], e[world, 0], law, path, world, path.shape[1]
        )
        for i in range(3):
            result[world, i] = P[i]
            result[world, 3 + i] = after[i]
        result[world, 6] = mode
        result[world, 7] = flags
        result[world, 8] = work
        result[world, 9] = _energy(v, after, P) - work
        result[world, 10] = rows
    return 0
