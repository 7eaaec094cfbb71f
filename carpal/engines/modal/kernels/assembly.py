"""Assemble a step: factor of the mass matrix, contact matrix W, and velocities without contact impulses."""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.contact_rows import behind_factor, contact_matrix, contact_velocities
from carpal.engines.modal.kernels.contact_table import UNHELD
from carpal.engines.modal.kernels.free_motion import free_velocity
from carpal.engines.modal.kernels.tree_blocks import factor_trees


@kernel
def assemble_velocities(plant, work, u, dt, rebuild, world, slot, count):
    """Free velocities over `dt` in `free`, UNHELD = J v of them; False if M + dt D + dt^2 P is singular.

    rebuild: whether its factor L and W are those of another configuration or step length.
    """
    tables, vectors, placed = work.tables, work.vectors, work.tables.search.placed
    if rebuild:
        if not factor_trees(
            plant.bodies, plant.trees, plant.order, plant.dofs, vectors.v, dt, tables.M, placed, tables.L, slot
        ):
            return False
        behind_factor(plant.trees, tables.L, tables.con, tables.J, tables.Y, slot, count)
        contact_matrix(plant.trees, tables.con, tables.Y, tables.W, slot, count)
    free_velocity(
        plant.bodies, plant.trees, plant.order, plant.dofs, plant.robots, dt, vectors.q, vectors.v, u, work.target, world,
        vectors.bias, vectors.weight, placed, tables.L, vectors.free, vectors.move, vectors.spare, slot,
    )  # fmt: skip
    contact_velocities(plant.trees, plant.order, tables.con, tables.J, vectors.free, UNHELD, slot, count)
    return True
