"""Every world's own ball: its mass, size, friction and drag, while all worlds share the catcher's tables.

The tables hold one ball. What acts on a world's ball is scaled by the ratio of the two masses, so that the table's ball moves as
this one would; a ball like the table's, without drag, moves as if none of this were here, bit for bit. Drag is
c |v| v against the motion, c = rho Cd A / 2 (erratum E17: the thesis leaves it out).
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import BOX
from carpal.engines.penalty.kernels.state import INERTIA, MASS, POWER_LOST, V, W, put, triple
from carpal.engines.penalty.kernels.touch import (
    BODY,
    KIND,
    PAIR_B,
    SIZE,
    SPAN,
)  # the edge makes its tables by these names
from carpal.labs.catch.kernels.watch import BALL
from carpal.spatial.kernels.vec3 import add, dot, scale, sub

__all__ = ["BODY", "BOX", "KIND", "PAIR_B", "SIZE", "SPAN", "own_ball", "own_kinetic"]
# columns of `ball` (worlds, BALL_COLUMNS): mass [kg], moment of inertia [kg m^2], radius [m], friction, drag c [kg/m]
OWN_MASS, MOMENT, RADIUS, FRICTION, AIR = 0, 1, 2, 3, 4
BALL_COLUMNS = 5


@kernel
def own_ball(bodies, gravity, places, ball, work, world, slot):
    """Drag, and forces as this world's ball feels them; after all contacts. The contacts' force [N] goes to the last sum."""
    i = int(places[BALL])
    weight = scale(bodies[i, MASS], (gravity[0], gravity[1], gravity[2]))
    f = triple(work.force, slot, i, 0)
    contact = sub(f, weight)
    work.sums[slot, work.sums.shape[1] - 1] = math.sqrt(dot(contact, contact))
    v = triple(work.now, slot, i, V)
    speed2 = dot(v, v)
    drag = ball[world, AIR] * math.sqrt(speed2)
    work.sums[slot, POWER_LOST] += drag * speed2
    share = bodies[i, MASS] / ball[world, OWN_MASS]
    put(work.force, slot, i, 0, add(scale(share, sub(f, scale(drag, v))), scale(1.0 - share, weight)))
    put(work.force, slot, i, 3, scale(bodies[i, INERTIA] / ball[world, MOMENT], triple(work.force, slot, i, 3)))


@leaf
def own_kinetic(ball, now, body, world, slot):
    """Kinetic energy [J] of this world's ball."""
    v, w = triple(now, slot, body, V), triple(now, slot, body, W)
    return 0.5 * (ball[world, OWN_MASS] * dot(v, v) + ball[world, MOMENT] * dot(w, w))
