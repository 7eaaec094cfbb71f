"""The entry of the accurate scheme: as `run.py`, with steps by extrapolation between events.

An entry of its own, so that nobody waits for the scheme that is not used to be compiled.
"""

from carpal._core.compile import entry
from carpal.engines.modal.kernels.arrays import Before, ByTree, Plant, Search, Solids, Solving, Tables, Vectors
from carpal.engines.modal.kernels.books import DONE, NOT_FINITE
from carpal.engines.modal.kernels.contact_table import SET_STEP
from carpal.engines.modal.kernels.event_step import event_step
from carpal.engines.modal.kernels.passing import give_world, move_target, refused, take_world, too_fast
from carpal.kinematics.kernels.placement import place_world


@entry
def run_accurate_steps(
    joints, bodies, shapes, groups, blocks, pairs, points, trees, order, owner, dofs, surfaces, settings, robot_joints,
    robot_bodies, robots, steps,
    q, v, u, aim, memory, q_next, v_next, memory_next, books, touch,
    placed, pair_work, spots, tree_work, M, L, con, fresh, kept, J, Y, W, A, hit_work,
    q_now, v_now, free, move, step, spare, bias, weight, rest, x, places, best, pivots, mu, e, kept_q, start_q, start_v,
    smooth, speeds, target, saved, levels,
    start, stop, stride, slot,
):  # fmt: skip
    """Arguments and answers as of `run_modal_steps`; `saved` and `levels` are the scheme's own scratch."""
    plant = Plant(
        joints, bodies, trees, order, owner, dofs, settings, robot_joints, robot_bodies,
        Solids(shapes, groups, blocks, pairs, points, surfaces),
    )  # fmt: skip
    tables = Tables(Search(placed, pair_work, spots, tree_work), M, L, con, fresh, kept, J, Y, W, A, hit_work)
    vectors = Vectors(
        q_now, v_now, free, move, step, spare, bias, weight, rest, Solving(x, places, best, pivots, mu, e),
        Before(kept_q, start_q, start_v), ByTree(smooth, speeds),
    )  # fmt: skip
    place_world(placed, slot)
    dt, bad = settings[SET_STEP], 0
    for world in range(start, stop, stride):
        if refused(q, v, u, aim, world):
            bad = world + 1 if bad == 0 else bad
            continue
        count, last = take_world(plant, tables, vectors, dt, q, v, aim, memory, target, books, touch, world, slot), dt
        for k in range(steps):
            if count < 0:
                break
            count, last = event_step(
                plant, tables, vectors, saved, levels, robots, dt, u, target, last, k == steps - 1, touch, books, world,
                slot, count,
            )  # fmt: skip
            if count >= 0 and too_fast(dofs, v_now, slot):
                count = -NOT_FINITE
            if count >= 0:
                books[world, DONE] += 1.0
                move_target(target, v.shape[1], dt, slot)
        give_world(tables, vectors, count, last, q_next, v_next, memory_next, books, world, slot)
    return bad
