"""The modal engine's entry: some steps of many worlds under held forces and servo targets."""

from carpal._jit import entry
from carpal.engines.modal.kernels.arrays import Plant, Tables, Vectors
from carpal.engines.modal.kernels.books import (
    BOOK_COLUMNS,
    DONE,
    ENDED,
    NOT_FINITE,
    OVERLAPPING,
    START_OVERLAP,
    T_PAIR,
    book_overlap,
)
from carpal.engines.modal.kernels.contact_table import DOF_FASTEST, KEPT_PAIR, SET_STEP
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.event_step import event_step
from carpal.engines.modal.kernels.matching import recall, remember
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.kinematics.kernels.placement import place_world
from carpal.kinematics.kernels.state import all_finite

NEW_STATE = -2.0
"""Instead of a pair in the memory's first row: nothing happened before, and nothing may overlap."""
MOST_OVERLAP = 1e-6
"""[m] by which a new state may overlap; it is taken away in the first step."""


@entry
def run_modal_steps(
    joints, bodies, shapes, groups, blocks, pairs, points, trees, order, owner, dofs, surfaces, settings, robot_joints,
    robot_bodies, robots, accurate, steps,
    q, v, u, aim, memory, q_next, v_next, memory_next, books, touch,
    placed, pair_work, spots, tree_work, M, L, con, fresh, kept, J, Y, W, A, hit_work,
    q_now, v_now, free, move, step, spare, bias, weight, zero, x, index, best, smooth, mu, e, kept_q, start_q, start_v,
    speeds, target, saved, levels,
    start, stop, stride, slot,
):  # fmt: skip
    """`steps` steps of every world; fewer good ones in `books[DONE]` mean that it ended as `books[ENDED]` says."""
    plant = Plant(
        joints, bodies, shapes, groups, blocks, pairs, points, trees, order, owner, dofs, surfaces, settings,
        robot_joints, robot_bodies,
    )  # fmt: skip
    tables = Tables(placed, pair_work, spots, tree_work, M, L, con, fresh, kept, J, Y, W, A, hit_work)
    vectors = Vectors(
        q_now,
        v_now,
        free,
        move,
        step,
        spare,
        bias,
        weight,
        zero,
        x,
        index,
        best,
        smooth,
        mu,
        e,
        kept_q,
        start_q,
        start_v,
        speeds,
    )
    place_world(placed, slot)
    dt = settings[SET_STEP]
    bad = 0
    for world in range(start, stop, stride):
        if not (all_finite(q, world) and all_finite(v, world) and all_finite(u, world) and all_finite(aim, world)):
            bad = world + 1 if bad == 0 else bad
            continue
        for i in range(q.shape[1]):
            q_now[slot, i] = q[world, i]
        for i in range(v.shape[1]):
            v_now[slot, i], bias[slot, i], weight[slot, i] = v[world, i], 0.0, 0.0
        for i in range(aim.shape[1]):
            target[slot, i] = aim[world, i]
        for i in range(BOOK_COLUMNS):
            books[world, i] = 0.0
        touch[world, 0, T_PAIR] = -1.0
        last = dt
        count = find_contacts(
            joints, bodies, shapes, groups, blocks, pairs, points, surfaces, owner, trees, order, dofs, q_now, v_now, dt, speeds,
            placed, pair_work, spots, con, slot,
        )  # fmt: skip
        if count >= 0:
            recall(memory, world, kept, con, slot, count, dt)
            book_overlap(con, slot, count, books, world)
            if memory[world, KEPT_PAIR] <= NEW_STATE and books[world, START_OVERLAP] > MOST_OVERLAP:
                count = -OVERLAPPING
        for k in range(steps):
            if count < 0:
                break
            report = k == steps - 1
            if accurate:
                count, last = event_step(
                    plant, tables, vectors, saved, levels, robots, dt, u, target, last, report, touch, books, world, slot,
                    count,
                )  # fmt: skip
            else:
                count, last = modal_step(
                    plant, tables, vectors, robots, dt, u, target, last, report, touch, books, world, slot, count
                )
            if count >= 0:
                for i in range(v.shape[1]):
                    if not abs(v_now[slot, i]) <= dofs[i, DOF_FASTEST]:
                        count = -NOT_FINITE
            if count >= 0:
                books[world, DONE] += 1.0
                for i in range(v.shape[1]):  # the target runs on at its rate
                    target[slot, i] += dt * target[slot, v.shape[1] + i]
        books[world, ENDED] = -min(count, 0)
        for i in range(q.shape[1]):
            q_next[world, i] = q_now[slot, i]
        for i in range(v.shape[1]):
            v_next[world, i] = v_now[slot, i]
        remember(con, slot, max(count, 0), last, memory_next, world)
    return bad
