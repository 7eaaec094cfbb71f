"""Mass matrix, velocity and gravity terms of all trees of joints in one pass over the poses that are already known.

The composite-rigid-body algorithm (Walker and Orin 1982) and the recursive Newton-Euler algorithm (Luh, Walker, Paul
1980) share the bodies' inertias in world axes; both are taken about one point per tree, the origin of its first body. A step
knows the poses from its search for contacts; `dynamics/kernels` work them out from q, each for itself. Single free bodies are
left out: they have closed forms of their own.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import TREE_ROOT, TREE_SINGLE
from carpal.kinematics.kernels.freedom import freedom, freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import (
    ARMATURE,
    GRAVITY,
    INERTIA,
    KIND,
    MASS,
    MOMENT,
    PARENT,
    V_INDEX,
    symmetric_at,
    vector_at,
)
from carpal.spatial.kernels.scratch import (
    add_symmetric,
    add_vector,
    get_matrix,
    get_symmetric,
    get_vector,
    put_symmetric,
    put_vector,
)
from carpal.spatial.kernels.spatial import momentum, shifted_inertia
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_symmetric, scale, sub, symmetric_times

# scratch columns of one body: its place seen from the tree's point, turning, its change, acceleration of the origin (gravity
# counts as one upwards); mass, first moment, inertia, force and torque of all that it carries, about the tree's point
_P, _OMEGA, _ALPHA, _ACC, _MASS, _MOMENT, _INERTIA, _FORCE, _TORQUE = 0, 3, 6, 9, 12, 13, 16, 22, 25
COLUMNS = 28


@leaf
def _body_terms(joints, bodies, placed, v, work, slot, body, root):
    """Motion of a body at no joint acceleration from its parent's, its inertia, and the force that this motion takes."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    R = get_matrix(placed, slot, body, R_WB)
    p = sub(get_vector(placed, slot, body, P_WB), get_vector(placed, slot, root, P_WB))
    omega, alpha = get_vector(work, slot, parent, _OMEGA), get_vector(work, slot, parent, _ALPHA)
    acc = get_vector(work, slot, parent, _ACC)
    if parent > 0:
        arm = sub(p, get_vector(work, slot, parent, _P))
        acc = add(acc, add(cross(alpha, arm), cross(omega, cross(omega, arm))))
    turn, slide = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(freedoms(kind)):
        way = scale(v[slot, first + k], freedom_axis(joints, bodies, placed, slot, body, k))
        if slides(kind, k):
            slide = add(slide, way)
        else:
            turn = add(turn, way)
    acc = add(acc, scale(2.0, cross(omega, slide)))
    alpha = add(alpha, cross(omega, turn))
    omega = add(omega, turn)
    mass = bodies[body, MASS]
    h, I = rotate(R, vector_at(bodies, body, MOMENT)), rotate_symmetric(R, symmetric_at(bodies, body, INERTIA))
    force = add(scale(mass, acc), add(cross(alpha, h), cross(omega, cross(omega, h))))
    torque = add(symmetric_times(I, alpha), add(cross(omega, symmetric_times(I, omega)), cross(h, acc)))
    put_vector(work, slot, body, _P, p)
    put_vector(work, slot, body, _OMEGA, omega)
    put_vector(work, slot, body, _ALPHA, alpha)
    put_vector(work, slot, body, _ACC, acc)
    h, I = shifted_inertia(mass, h, I, p)
    work[slot, body, _MASS] = mass
    put_vector(work, slot, body, _MOMENT, h)
    put_symmetric(work, slot, body, _INERTIA, I)
    put_vector(work, slot, body, _FORCE, force)
    put_vector(work, slot, body, _TORQUE, add(torque, cross(p, force)))


@kernel
def tree_dynamics(joints, bodies, trees, owner, placed, v, M, bias, weight, work, slot):
    """M, bias = C v + g and weight = g of the bodies in `joints` but single free ones; False where M or bias is not finite.

    Args:
        joints, bodies: the first rows of the model's tables, as far as there are trees of joints.
        trees, owner: see `contact_table`; owner is the tree of each row.
        placed: (slots, rows, 18) poses of the bodies (columns 0 to 11).
        v: (slots, nv).
        M, bias, weight: (slots, n, n), (slots, nv), (slots, nv) written at the freedoms of these bodies.
        work: (slots, rows, COLUMNS).
    """
    n = M.shape[1]
    for i in range(n):
        for j in range(n):
            M[slot, i, j] = 0.0
    g = vector_at(bodies, 0, GRAVITY)
    put_vector(work, slot, 0, _OMEGA, (0.0, 0.0, 0.0))
    put_vector(work, slot, 0, _ALPHA, (0.0, 0.0, 0.0))
    put_vector(work, slot, 0, _ACC, scale(-1.0, g))
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        if trees[owner[body], TREE_SINGLE] == 0:
            _body_terms(joints, bodies, placed, v, work, slot, body, trees[owner[body], TREE_ROOT])
    check = 0.0
    for body in range(last, 0, -1):
        if trees[owner[body], TREE_SINGLE] > 0:
            continue
        kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
        mass, h, I = (
            work[slot, body, _MASS],
            get_vector(work, slot, body, _MOMENT),
            get_symmetric(work, slot, body, _INERTIA),
        )
        force, torque = get_vector(work, slot, body, _FORCE), get_vector(work, slot, body, _TORQUE)
        if parent > 0:
            work[slot, parent, _MASS] += mass
            add_vector(work, slot, parent, _MOMENT, h)
            add_symmetric(work, slot, parent, _INERTIA, I)
            add_vector(work, slot, parent, _FORCE, force)
            add_vector(work, slot, parent, _TORQUE, torque)
        pull, lever = scale(mass, g), cross(h, g)
        for k in range(freedoms(kind)):
            row = first + k
            sv, sw = freedom(joints, bodies, placed, slot, body, get_vector(work, slot, body, _P), k)
            bias[slot, row] = dot(sv, force) + dot(sw, torque)
            weight[slot, row] = -dot(sv, pull) - dot(sw, lever)
            fv, fw = momentum(mass, h, I, sv, sw)
            other = body
            while other > 0:
                p = get_vector(work, slot, other, _P)
                for m in range(freedoms(joints[other, KIND])):
                    rv, rw = freedom(joints, bodies, placed, slot, other, p, m)
                    value = dot(rv, fv) + dot(rw, fw)
                    column = joints[other, V_INDEX] + m
                    M[slot, row, column] = value
                    M[slot, column, row] = value
                other = joints[other, PARENT]
            M[slot, row, row] += bodies[body, ARMATURE]
            check += 0.0 * (M[slot, row, row] + bias[slot, row])
    return check == 0.0
