"""One step of the symplectic (semi-implicit) Euler method: velocities first, then positions along the new velocities.

First order, one evaluation of the dynamics a step; energy errors of conservative motion stay bounded where the
generalised coordinates are canonical enough (Hairer, Lubich, Wanner, "Geometric Numerical Integration", 2006, VI.3).
It is MuJoCo's `Euler` without implicit damping. The ledger counts the work of forces along the new velocity, which is the
distance that the step really moves.
"""

from carpal._core.compile import kernel
from carpal.engines.rigid.kernels.passive import resolved
from carpal.engines.rigid.kernels.rates import add_work, stage_rates
from carpal.kinematics.kernels.integrate import integrate
from carpal.kinematics.kernels.state import all_finite


@kernel
def symplectic_step(joints, bodies, dofs, tendons, smooth, dt, q, v, u, work, stage, world, slot):
    """Move one world by dt, in place; arguments and result as of `rk4_step`."""
    for i in range(q.shape[1]):
        stage.q[slot, i] = q[world, i]
    for i in range(v.shape[1]):
        stage.v[slot, i] = v[world, i]
    bad = stage_rates(joints, bodies, dofs, tendons, smooth, u, 0, stage, world, slot)
    for i in range(v.shape[1]):
        v[world, i] += dt * stage.vdot[slot, i]
    add_work(dofs, u, 0, stage, v, work, dt, world, world, slot)
    integrate(joints, q, v, dt, q, world)
    return 0 if bad == 0 and all_finite(q, world) and resolved(dofs, v, world) else 1
