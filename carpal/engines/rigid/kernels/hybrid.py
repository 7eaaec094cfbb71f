"""Hybrid dynamics: some joints are given a force and accelerate, others are given an acceleration and take a force.

Featherstone, "Rigid Body Dynamics Algorithms", 2008, ch. 9.2 (articulated-body version). A prescribed joint keeps the
articulated inertia of its body whole on the way inwards, its given acceleration joins the bias acceleration, and its
force follows on the way outwards. The sweeps of the other joints are the forward dynamics' own.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.dynamics.kernels.aba import (
    BIAS_V,
    BIAS_W,
    COLUMNS,
    FORCE_V,
    FORCE_W,
    INERTIA_A,
    INERTIA_B,
    INERTIA_C,
    TWIST_V,
    TWIST_W,
    accelerate,
    inward,
    outward,
)
from carpal.engines.rigid.kernels.passive import PRESCRIBED
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import P_WB, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import ARMATURE, GRAVITY, KIND, PARENT, V_INDEX, vector_at
from carpal.spatial.kernels.scratch import (
    add_matrix,
    add_symmetric,
    add_vector,
    get_matrix,
    get_symmetric,
    get_vector,
    put_vector,
)
from carpal.spatial.kernels.spatial import articulated_times
from carpal.spatial.kernels.vec3 import add, dot, scale

HYBRID_COLUMNS = COLUMNS


@leaf
def _prescribe(joints, bodies, given, scratch, world, slot, body):
    """Add a joint's given acceleration to its body's bias acceleration."""
    first, p = joints[body, V_INDEX], get_vector(scratch, slot, body, P_WB)
    for k in range(freedoms(joints[body, KIND])):
        sv, sw = freedom(joints, bodies, scratch, slot, body, p, k)
        rate = given[world, first + k]
        add_vector(scratch, slot, body, BIAS_V, scale(rate, sv))
        add_vector(scratch, slot, body, BIAS_W, scale(rate, sw))


@leaf
def _force_for(scratch, slot, body, av, aw):
    """Force and torque that a body with everything behind it takes for the acceleration (av, aw)."""
    fv, fw = articulated_times(
        get_symmetric(scratch, slot, body, INERTIA_A),
        get_matrix(scratch, slot, body, INERTIA_B),
        get_symmetric(scratch, slot, body, INERTIA_C),
        av,
        aw,
    )
    return add(fv, get_vector(scratch, slot, body, FORCE_V)), add(fw, get_vector(scratch, slot, body, FORCE_W))


@leaf
def _carry(joints, scratch, slot, body):
    """Hand the whole articulated inertia to the parent, with the force that the bias acceleration takes."""
    parent = joints[body, PARENT]
    if parent == 0:
        return
    cv, cw = get_vector(scratch, slot, body, BIAS_V), get_vector(scratch, slot, body, BIAS_W)
    fv, fw = _force_for(scratch, slot, body, cv, cw)
    add_symmetric(scratch, slot, parent, INERTIA_A, get_symmetric(scratch, slot, body, INERTIA_A))
    add_matrix(scratch, slot, parent, INERTIA_B, get_matrix(scratch, slot, body, INERTIA_B))
    add_symmetric(scratch, slot, parent, INERTIA_C, get_symmetric(scratch, slot, body, INERTIA_C))
    add_vector(scratch, slot, parent, FORCE_V, fv)
    add_vector(scratch, slot, parent, FORCE_W, fw)


@leaf
def _take_force(joints, bodies, given, vdot, force, scratch, world, slot, body):
    """Acceleration of a prescribed body, and the force that its joint must supply for it."""
    parent, first = joints[body, PARENT], joints[body, V_INDEX]
    av = add(get_vector(scratch, slot, parent, TWIST_V), get_vector(scratch, slot, body, BIAS_V))
    aw = add(get_vector(scratch, slot, parent, TWIST_W), get_vector(scratch, slot, body, BIAS_W))
    put_vector(scratch, slot, body, TWIST_V, av)
    put_vector(scratch, slot, body, TWIST_W, aw)
    fv, fw = _force_for(scratch, slot, body, av, aw)
    p = get_vector(scratch, slot, body, P_WB)
    for k in range(freedoms(joints[body, KIND])):
        sv, sw = freedom(joints, bodies, scratch, slot, body, p, k)
        rate = given[world, first + k]
        vdot[world, first + k] = rate
        force[world, first + k] = dot(sv, fv) + dot(sw, fw) + bodies[body, ARMATURE] * rate


@kernel
def hybrid(joints, bodies, dofs, q, v, given, vdot, force, scratch, world, slot):
    """Accelerations and forces of one world.

    `given` holds a prescribed joint's acceleration and any other joint's total force; `vdot` and `force` are filled for
    all joints (`force` may be `given`). Returns 0, or 1 when a number is not finite or the other joints' mass matrix is
    singular.
    """
    zero = (0.0, 0.0, 0.0)
    place_world(scratch, slot)
    put_vector(scratch, slot, 0, TWIST_V, zero)
    put_vector(scratch, slot, 0, TWIST_W, zero)
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        outward(joints, bodies, q, v, scratch, world, slot, body)
        if dofs[joints[body, V_INDEX], PRESCRIBED] != 0.0:
            _prescribe(joints, bodies, given, scratch, world, slot, body)
    for body in range(last, 0, -1):
        if dofs[joints[body, V_INDEX], PRESCRIBED] != 0.0:
            _carry(joints, scratch, slot, body)
        else:
            inward(joints, bodies, given, scratch, world, slot, body)
    put_vector(scratch, slot, 0, TWIST_V, scale(-1.0, vector_at(bodies, 0, GRAVITY)))
    for body in range(1, last + 1):
        first = joints[body, V_INDEX]
        if dofs[first, PRESCRIBED] != 0.0:
            _take_force(joints, bodies, given, vdot, force, scratch, world, slot, body)
        else:
            accelerate(joints, bodies, vdot, scratch, world, slot, body)
            for k in range(freedoms(joints[body, KIND])):
                force[world, first + k] = given[world, first + k]
    return 0 if all_finite(q, world) and all_finite(vdot, world) and all_finite(force, world) else 1


@entry
def hybrid_batch(joints, bodies, dofs, q, v, given, vdot, force, scratch, start, stop, stride, slot):
    """`hybrid` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if hybrid(joints, bodies, dofs, q, v, given, vdot, force, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
