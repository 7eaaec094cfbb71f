"""Mass matrix: the composite-rigid-body algorithm in world axes (Walker and Orin 1982; Featherstone 2008, ch. 6)."""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import P_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import ARMATURE, INERTIA, KIND, MASS, MOMENT, PARENT, V_INDEX, symmetric_at, vector_at
from carpal.spatial.kernels.scratch import (
    add_symmetric,
    add_vector,
    get_symmetric,
    get_vector,
    put_symmetric,
    put_vector,
)
from carpal.spatial.kernels.spatial import momentum, shifted_inertia
from carpal.spatial.kernels.vec3 import dot, rotate, rotate_symmetric

# scratch columns of one body, after its pose: mass, first moment and inertia of everything that it carries
_MASS, _MOMENT, _INERTIA = 12, 13, 16
COLUMNS = 22


@leaf
def _weigh(joints, bodies, q, scratch, world, slot, body):
    """Pose and own inertia of a body."""
    R, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
    mass = bodies[body, MASS]
    h = rotate(R, vector_at(bodies, body, MOMENT))
    h, inertia = shifted_inertia(mass, h, rotate_symmetric(R, symmetric_at(bodies, body, INERTIA)), p)
    scratch[slot, body, _MASS] = mass
    put_vector(scratch, slot, body, _MOMENT, h)
    put_symmetric(scratch, slot, body, _INERTIA, inertia)


@kernel
def crba(joints, bodies, q, M, scratch, world, slot):
    """M(q) of one world; returns 1 when a number is not finite."""
    n = M.shape[1]
    for i in range(n):
        for j in range(n):
            M[world, i, j] = 0.0
    place_world(scratch, slot)
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        _weigh(joints, bodies, q, scratch, world, slot, body)
    total = 0.0
    for body in range(last, 0, -1):
        kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
        mass = scratch[slot, body, _MASS]
        h = get_vector(scratch, slot, body, _MOMENT)
        inertia = get_symmetric(scratch, slot, body, _INERTIA)
        if parent > 0:
            scratch[slot, parent, _MASS] += mass
            add_vector(scratch, slot, parent, _MOMENT, h)
            add_symmetric(scratch, slot, parent, _INERTIA, inertia)
        for k in range(freedoms(kind)):
            sv, sw = freedom(joints, bodies, scratch, slot, body, get_vector(scratch, slot, body, P_WB), k)
            fv, fw = momentum(mass, h, inertia, sv, sw)
            row, other = first + k, body
            while other > 0:
                p = get_vector(scratch, slot, other, P_WB)
                for m in range(freedoms(joints[other, KIND])):
                    rv, rw = freedom(joints, bodies, scratch, slot, other, p, m)
                    value = dot(rv, fv) + dot(rw, fw)
                    column = joints[other, V_INDEX] + m
                    M[world, row, column] = value
                    M[world, column, row] = value
                other = joints[other, PARENT]
            M[world, row, row] += bodies[body, ARMATURE]
            total += M[world, row, row]
    return 0 if all_finite(q, world) and 0.0 * total == 0.0 else 1


@entry
def crba_batch(joints, bodies, q, M, scratch, start, stop, stride, slot):
    """`crba` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if crba(joints, bodies, q, M, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
