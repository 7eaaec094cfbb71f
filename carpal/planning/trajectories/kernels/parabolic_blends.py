"""How long each line between waypoints lasts, and each parabola that blends two lines (Leutenegger 2008, section 5.5).

A line is as fast as its slowest joint allows. At a waypoint all joints change from one line's speed to the next one's during
one common blend, so that the path is a parabola tangent to both lines; the blend lasts as long as the hardest joint needs.
Where two blends would overlap on a line, the line is slowed until they just fit (Kunz, Stilman, "Turning paths into
trajectories using parabolic blends", 2011; Leutenegger shifts the line instead, which lets a joint miss its waypoints by more
and more). Slowing only ever slows, and a line slower than its blends need is never asked for: the repetition ends.
"""

import math

from carpal._core.compile import entry, kernel, leaf

_TIGHT = 1.002  # a line is slowed by this much more than the last round asks for, which ends the rounds
_ROUNDS = 500


@leaf
def _speed(waypoints, lasts, world, line, lines, n, j):
    """Speed of joint j on a line; the rests before the first and after the last line are lines too."""
    if line < 0 or line >= lines:
        return 0.0
    return (waypoints[world, (line + 1) * n + j] - waypoints[world, line * n + j]) / lasts[world, line]


@leaf
def _blend(vdot_max, deviation, waypoints, lasts, world, i, lines, n):
    """(how long the blend at waypoint i lasts, its largest deviation as a share of what is allowed)."""
    time, share = 0.0, 0.0
    for j in range(n):
        jump = abs(
            _speed(waypoints, lasts, world, i, lines, n, j) - _speed(waypoints, lasts, world, i - 1, lines, n, j)
        )
        time = max(time, jump / vdot_max[j])
        share = max(share, jump / deviation[j])
    return time, 0.125 * time * share


@kernel
def time_blends(v_max, vdot_max, deviation, waypoints, lasts, blends, world):
    """Fill lasts[world] (lines) and blends[world] (waypoints) [s]; returns whether the repetition ended."""
    n, lines = v_max.shape[0], lasts.shape[1]
    for i in range(lines):
        time = 0.0
        for j in range(n):
            distance = abs(waypoints[world, (i + 1) * n + j] - waypoints[world, i * n + j])
            # without a speed limit begin with four times the speed of full push and full brake
            time = max(time, max(distance / v_max[j], 0.25 * math.sqrt(distance / vdot_max[j])))
        lasts[world, i] = time
    for _ in range(_ROUNDS):
        changed = False
        for i in range(lines + 1):
            blends[world, i], share = _blend(vdot_max, deviation, waypoints, lasts, world, i, lines, n)
            if share > 1.0 and 0 < i < lines:
                slower = _TIGHT * math.sqrt(share)
                lasts[world, i - 1] *= slower
                lasts[world, i] *= slower
                changed = True
        if changed:
            continue
        for i in range(lines):
            a, b = blends[world, i], blends[world, i + 1]
            if 0.5 * (a + b) > lasts[world, i]:
                lasts[world, i] *= _TIGHT * math.sqrt(max(a, b) / lasts[world, i])
                changed = True
        if not changed:
            return True
    return False


@entry
def blends_batch(v_max, vdot_max, deviation, waypoints, lasts, blends, start, stop, stride, slot):
    """Time every world's waypoints (flat, waypoint by waypoint)."""
    bad = 0
    for world in range(start, stop, stride):
        if not time_blends(v_max, vdot_max, deviation, waypoints, lasts, blends, world) and bad == 0:
            bad = world + 1
    return bad
