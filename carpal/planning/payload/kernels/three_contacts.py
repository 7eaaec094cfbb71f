"""Will a flap that three contacts hold turn under its weight: stays, turns, maybe (Leutenegger 2008, section 7.5.1).

Seen along the gripper's axis: contacts 1 and 2 lie b / 2 to either side of the axis, contact 3 at e towards the centre of mass,
which lies at d, and c along the axis below the plane of the contacts. Tilt is the angle between gravity and the axis, alpha
the angle of the centre of mass from gravity's direction in that plane. Everything is per unit of mass [m/s^2].

Errata: E5, a factor 1/2 is missing in the printed normal forces (7.5). E6, "turns" is where statics fail with the upper
friction. E7, contact 3 has a moment about the axis: B = (F d - C e) / b. E8, |F - C| <= sqrt((mu A1)^2 - B^2) +
sqrt((mu A2)^2 - B^2); the printed (7.9) drops a term. Weight towards or away from the axis is borne by knob or plunger.

All force distributions scale with mu, so one number says everything: the largest pull F across the flap that unit friction
can hold, `holding`. The flap stays where |g sin(tilt) sin(alpha)| <= mu holding.
A contact that would have to pull (the three forces do not press one way at 1 and 2 and the other way at 3) leaves it
undecided: maybe.
"""

import math

from carpal._core.compile import entry, kernel, leaf

STAYS, TURNS, MAYBE = 0.0, 1.0, 2.0
# columns of an answer: what it does with friction between the bounds, the pull across, the pull that unit friction holds,
# whether the three contacts press as they can, their three normal forces
OUTCOME, PULL, HOLDING, PRESSED, NORMALS = 0, 1, 2, 3, 4
ANSWER = 7
_GOLDEN = 0.6180339887498949


@leaf
def normal_forces(b, c, d, e, along, across, cos_alpha, sin_alpha):
    """(A1, A2, A3) per unit mass for gravity `along` the axis and `across` it (E5)."""
    lean = c / e * cos_alpha * across
    twist = c / b * sin_alpha * across
    half = 0.5 * ((d / e - 1.0) * along - lean)
    return half + twist, half - twist, lean - d / e * along


@leaf
def presses(a1, a2, a3):
    """Whether contacts 1 and 2 press one way and contact 3 the other: as the blades can."""
    return (a1 >= 0.0 and a2 >= 0.0 and a3 <= 0.0) or (a1 <= 0.0 and a2 <= 0.0 and a3 >= 0.0)


@leaf
def _pull(b, d, e, r1, r2, r3, side):
    """Largest pull F with the sideways force B = `side` at contacts 1 and 2, or -1 where there is none."""
    slack = d * (math.sqrt(max(r1 * r1 - side * side, 0.0)) + math.sqrt(max(r2 * r2 - side * side, 0.0)))
    turn, lever = side * b, d - e
    # |B b - C (d - e)| <= slack bounds contact 3's force C from both sides
    most, least = r3, -r3
    if lever > 0.0:
        most, least = min(most, (turn + slack) / lever), max(least, (turn - slack) / lever)
    elif lever < 0.0:
        most, least = min(most, (turn - slack) / lever), max(least, (turn + slack) / lever)
    elif turn > slack:
        return -1.0
    return (turn + most * e) / d if most >= least else -1.0


@kernel
def holding_of(b, d, e, r1, r2, r3):
    """The largest pull across that contacts with friction limits r1, r2, r3 can hold: concave in B, so by golden section."""
    low, high = 0.0, min(r1, r2)
    if high <= 0.0 and r3 <= 0.0:
        return 0.0
    x1, x2 = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    f1, f2 = _pull(b, d, e, r1, r2, r3, x1), _pull(b, d, e, r1, r2, r3, x2)
    best = max(_pull(b, d, e, r1, r2, r3, low), _pull(b, d, e, r1, r2, r3, high))
    for _ in range(70):
        if f1 >= f2:  # what cannot be held (-1) lies at large B only
            high, x2, f2 = x2, x1, f1
            x1 = high - _GOLDEN * (high - low)
            f1 = _pull(b, d, e, r1, r2, r3, x1)
        else:
            low, x1, f1 = x1, x2, f2
            x2 = low + _GOLDEN * (high - low)
            f2 = _pull(b, d, e, r1, r2, r3, x2)
    return max(0.0, max(best, max(f1, f2)))


@kernel
def adjust(b, c, d, e, along, across, cos_alpha, sin_alpha, mu_low, mu_high):
    """(outcome, pull, holding, pressed, A1, A2, A3) of one attitude; see the columns above."""
    a1, a2, a3 = normal_forces(b, c, d, e, along, across, cos_alpha, sin_alpha)
    pull = abs(across * sin_alpha)
    holding = holding_of(b, d, e, abs(a1), abs(a2), abs(a3))
    pressed = presses(a1, a2, a3)
    outcome = MAYBE
    if pressed and pull <= mu_low * holding:
        outcome = STAYS
    elif pressed and pull > mu_high * holding:
        outcome = TURNS
    return outcome, pull, holding, pressed, a1, a2, a3


@entry
def adjust_batch(geometry, gravity, attitude, friction, answer, start, stop, stride, slot):
    """answer[world] for geometry (b, c, d, e), attitude[world] = (tilt, alpha), friction[world] = (lower, upper)."""
    bad = 0
    for world in range(start, stop, stride):
        tilt, alpha = attitude[world, 0], attitude[world, 1]
        outcome, pull, holding, pressed, a1, a2, a3 = adjust(
            geometry[0], geometry[1], geometry[2], geometry[3], gravity * math.cos(tilt), gravity * math.sin(tilt),
            math.cos(alpha), math.sin(alpha), friction[world, 0], friction[world, 1],
        )  # fmt: skip
        answer[world, OUTCOME], answer[world, PULL], answer[world, HOLDING] = outcome, pull, holding
        answer[world, PRESSED] = 1.0 if pressed else 0.0
        answer[world, NORMALS], answer[world, NORMALS + 1], answer[world, NORMALS + 2] = a1, a2, a3
        if not (math.isfinite(pull) and math.isfinite(holding)) and bad == 0:
            bad = world + 1
    return bad
