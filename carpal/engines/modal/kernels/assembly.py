"""Assemble a step: factor of the mass matrix, contact matrix W, and velocities without contact impulses."""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_basis import hold_contacts, hold_velocity, rebuild_constraints
from carpal.engines.modal.kernels.contact_rows import behind_factor, contact_matrix, contact_velocities
from carpal.engines.modal.kernels.contact_table import UNHELD
from carpal.engines.modal.kernels.free_motion import free_velocity
from carpal.engines.modal.kernels.tree_blocks import factor_trees


@leaf
def factor_mass(plant, work, dt, slot):
    """Factor M + dt D + dt^2 P into L; False if it is singular. Couplings and loops are eliminated behind it."""
    tables, vectors = work.tables, work.vectors
    if not factor_trees(
        plant.bodies, plant.trees, plant.order, plant.dofs, plant.ties.tendons, vectors.q, vectors.v, dt, tables.M,
        tables.search.placed, tables.L, slot,
    ):  # fmt: skip
        return False
    if plant.ties.constraints.shape[0] > 0:
        rebuild_constraints(plant, work, slot)
    return True


@leaf
def contact_operator(plant, work, slot, count):
    """Y and W of all contacts behind the factor, couplings and loops held."""
    tables = work.tables
    behind_factor(plant.trees, tables.L, tables.con, tables.J, tables.Y, slot, count)
    if plant.ties.constraints.shape[0] > 0:
        hold_contacts(plant.trees, tables.con, tables.Y, work.held.Z, slot, count)
    contact_matrix(plant.trees, tables.con, tables.Y, tables.W, slot, count)


@kernel
def assemble_velocities(plant, work, u, dt, rebuild, world, slot, count):
    """Free velocities over `dt` in `free`, UNHELD = J v of them; False if M + dt D + dt^2 P is singular.

    Free of contact impulses; couplings and loops hold. rebuild: whether its factor L and W are those of another configuration
    or step length.
    """
    tables, vectors, placed = work.tables, work.vectors, work.tables.search.placed
    if rebuild:
        if not factor_mass(plant, work, dt, slot):
            return False
        contact_operator(plant, work, slot, count)
    free_velocity(
        plant.bodies, plant.trees, plant.order, plant.dofs, plant.ties.tendons, plant.robots, dt, vectors.q, vectors.v, u,
        work.target, world, vectors.bias, vectors.weight, placed, tables.L, vectors.free, vectors.move, vectors.spare, slot,
    )  # fmt: skip
    if plant.ties.constraints.shape[0] > 0:
        hold_velocity(plant.trees, plant.order, tables.L, work.held, vectors.free, vectors.spare, slot)
    contact_velocities(plant.trees, plant.order, tables.con, tables.J, vectors.free, UNHELD, slot, count)
    return True
