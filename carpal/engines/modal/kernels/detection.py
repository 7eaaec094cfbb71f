"""Contact detection: contact points of every pair of shapes within a margin, and joints near their stops.

The broad phase is that of `carpal.contact`; the remaining pairs give a manifold. A joint stop is a contact without
friction whose normal is the joint's own coordinate; its pair number comes after those of the shapes.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.broad_phase import block_within, oriented_gap, pair_within, placed_box
from carpal.contact.kernels.kinds import (
    BLOCK_END,
    BLOCK_FIRST,
    BLOCK_PLACED_A,
    PAIR_A,
    PAIR_B,
    PLANE,
    SHAPE_ROW,
    SPHERE,
    kind_of,
    points_of,
    size_of,
)
from carpal.contact.kernels.manifold import manifold
from carpal.contact.kernels.pair import nearest
from carpal.contact.kernels.placing import place_shapes, placed_pose
from carpal.engines.modal.kernels.constraint_table import T_HIGH, T_LOW, T_TREE
from carpal.engines.modal.kernels.contact_islands import group_contacts
from carpal.engines.modal.kernels.contact_table import (
    AXIS,
    CLOSED,
    CLOSED_GAP,
    CONTACT_COLUMNS,
    DOF_HIGH,
    DOF_LEVER,
    DOF_LOW,
    DOF_Q,
    GAP,
    LOCAL,
    MATCH,
    MU,
    MU_HELD,
    MU_SLIDES,
    NORMAL,
    ORDER_DOF,
    ORDER_TREE,
    PAIR,
    POINT,
    ROW_A,
    ROW_B,
    SPEED,
    SURFACE_HELD,
    SURFACE_MU,
    SURFACE_TORSION,
    TORSION,
    TREE_A,
    TREE_B,
    TREE_COUNT,
    TREE_FIRST,
    TREE_SINGLE,
)
from carpal.engines.modal.kernels.ledger import NOT_FINITE, TOO_MANY_CONTACTS
from carpal.engines.modal.kernels.passive_forces import tendon_length
from carpal.kinematics.kernels.placement import P_WB, R_WB
from carpal.kinematics.kernels.state import vector_of
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_vector
from carpal.spatial.kernels.vec3 import dot, rotate_back, sub

SLACK = 1e-4
"""[m] margin for gaps that close by acceleration within a step."""


@kernel
def tree_speeds(trees, order, dofs, v, speeds, slot):
    """Write to `speeds` a bound of how fast any point of each tree moves [m/s]; returns the sum of the two largest."""
    first, second = 0.0, 0.0
    for tree in range(trees.shape[0]):
        start, speed = trees[tree, TREE_FIRST], 0.0
        if trees[tree, TREE_SINGLE] > 0:
            dof = order[start, ORDER_DOF]
            slide, turn = vector_of(v, slot, dof), vector_of(v, slot, dof + 3)
            speed = math.sqrt(dot(slide, slide)) + math.sqrt(dot(turn, turn)) * dofs[dof + 3, DOF_LEVER]
        else:
            for i in range(trees[tree, TREE_COUNT]):
                dof = order[start + i, ORDER_DOF]
                speed += abs(v[slot, dof]) * dofs[dof, DOF_LEVER]
        speeds[slot, tree] = speed
        if speed > first:
            first, second = speed, first
        elif speed > second:
            second = speed
    return first + second


@leaf
def _empty(con, slot, c):
    for k in range(CONTACT_COLUMNS):
        con[slot, c, k] = 0.0
    con[slot, c, MATCH] = -1.0
    con[slot, c, AXIS + 2] = 1.0


@kernel
def find_contacts(plant, search, q, v, speeds, dt, con, slot):
    """Place all shapes and fill `con`, island by island; returns the number of contacts, or minus a status.

    speeds: (trees) scratch. dt: time within which a gap may close [s].
    """
    solids, placed, spots = plant.solids, search.placed, search.spots
    shapes, blocks, pairs, points = solids.shapes, solids.blocks, solids.pairs, solids.points
    groups, surfaces, owner, pair_work = solids.groups, solids.surfaces, plant.owner, search.pair_work
    if not place_shapes(plant.joints, plant.bodies, shapes, groups, q, placed, slot, slot):
        return -NOT_FINITE
    widest = SLACK + 1.5 * dt * tree_speeds(plant.trees, plant.order, plant.dofs, v, speeds, slot)
    most, count = con.shape[1], 0
    row = -1
    low_a, high_a = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for block in range(blocks.shape[0]):
        if blocks[block, BLOCK_PLACED_A] != row:
            row = blocks[block, BLOCK_PLACED_A]
            low_a, high_a = placed_box(placed, slot, row)
        if not block_within(groups, blocks, placed, slot, block, low_a, high_a, widest):
            continue
        for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
            a, b = pairs[pair, PAIR_A], pairs[pair, PAIR_B]
            row_a, row_b = int(shapes[a, SHAPE_ROW]), int(shapes[b, SHAPE_ROW])
            fast = speeds[slot, owner[row_a]] + (speeds[slot, owner[row_b]] if row_b > 0 else 0.0)
            margin = SLACK + 1.5 * dt * fast
            if not pair_within(shapes, pairs, placed, slot, pair, margin):
                continue
            kind_a, kind_b = kind_of(shapes, a), kind_of(shapes, b)
            ball = kind_a == SPHERE or kind_b == SPHERE  # its distance costs no more than a bound of it
            if not ball and kind_b != PLANE and oriented_gap(shapes, placed, slot, a, b) > margin:
                continue
            R_a, p_a = placed_pose(shapes, placed, slot, a)
            R_b, p_b = placed_pose(shapes, placed, slot, b)
            start_a, count_a = points_of(shapes, a)
            start_b, count_b = points_of(shapes, b)
            if ball:  # one point, the nearest
                _, distance, p_WA, p_WB, n = nearest(
                    kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a,
                    kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b, points, pair_work, slot,
                )  # fmt: skip
                found = 1 if distance <= margin else 0
                for k in range(3):
                    spots[slot, 0, k] = 0.5 * (p_WA[k] + p_WB[k])
                spots[slot, 0, 3] = -distance
            else:
                _, found, _, n = manifold(
                    kind_a, size_of(shapes, a), start_a, count_a, R_a, p_a,
                    kind_b, size_of(shapes, b), start_b, count_b, R_b, p_b,
                    margin, spots, slot, points, pair_work, slot,
                )  # fmt: skip
            if count + found > most:
                return -TOO_MANY_CONTACTS
            for k in range(found):
                _empty(con, slot, count)
                p = (spots[slot, k, 0], spots[slot, k, 1], spots[slot, k, 2])
                con[slot, count, PAIR] = pair
                con[slot, count, GAP] = -spots[slot, k, 3]
                put_vector(con, slot, count, POINT, p)
                put_vector(con, slot, count, NORMAL, n)
                put_vector(con, slot, count, AXIS, n)
                con[slot, count, ROW_A], con[slot, count, ROW_B] = row_a, row_b
                con[slot, count, SPEED] = fast
                con[slot, count, TREE_A] = owner[row_a]
                con[slot, count, TREE_B] = -1 if owner[row_b] == owner[row_a] else owner[row_b]
                con[slot, count, MU] = surfaces[pair, SURFACE_MU]
                con[slot, count, MU_SLIDES] = surfaces[pair, SURFACE_MU]
                con[slot, count, MU_HELD] = surfaces[pair, SURFACE_HELD]
                con[slot, count, TORSION] = surfaces[pair, SURFACE_TORSION]
                local = rotate_back(
                    get_matrix(placed, slot, row_a, R_WB), sub(p, get_vector(placed, slot, row_a, P_WB))
                )
                put_vector(con, slot, count, LOCAL, local)
                con[slot, count, CLOSED] = 1.0 if con[slot, count, GAP] <= CLOSED_GAP else 0.0
                count += 1
    count = find_stops(pairs, plant.dofs, plant.order, q, speeds, widest, con, slot, count)
    if count >= 0 and plant.ties.tendons.shape[0] > 0:
        count = find_tendon_stops(plant, q, speeds, widest, con, slot, count)
    if count > 0:
        group_contacts(con, speeds, slot, count)
    return count


@kernel
def find_tendon_stops(plant, q, speeds, margin, con, slot, count):
    """Add tendons within a margin of their limits, as `find_stops` does; ROW_A is -1 - freedoms - tendon."""
    tendons, nv = plant.ties.tendons, plant.dofs.shape[0]
    for k in range(tendons.shape[0]):
        length = tendon_length(tendons, plant.trees, plant.order, plant.dofs, k, q, slot)
        for side in range(2):
            gap = tendons[k, T_HIGH] - length if side else length - tendons[k, T_LOW]
            if not gap <= margin:
                continue
            if count == con.shape[1]:
                return -TOO_MANY_CONTACTS
            _empty(con, slot, count)
            con[slot, count, PAIR] = plant.solids.pairs.shape[0] + 2 * (nv + k) + side
            con[slot, count, GAP] = gap
            con[slot, count, NORMAL + 2] = -1.0 if side else 1.0
            con[slot, count, ROW_A], con[slot, count, TREE_A] = -1 - nv - k, tendons[k, T_TREE]
            con[slot, count, TREE_B] = -1
            con[slot, count, SPEED] = speeds[slot, int(tendons[k, T_TREE])]
            con[slot, count, CLOSED] = 1.0 if gap <= CLOSED_GAP else 0.0
            count += 1
    return count


@kernel
def find_stops(pairs, dofs, order, q, speeds, margin, con, slot, count):
    """Add joints within a margin of their stops; as `find_contacts`. ROW_A is -1 - freedom, the normal's z the sign."""
    for dof in range(dofs.shape[0]):
        if dofs[dof, DOF_Q] < 0.0:
            continue
        at = q[slot, int(dofs[dof, DOF_Q])]
        for side in range(2):
            gap = dofs[dof, DOF_HIGH] - at if side else at - dofs[dof, DOF_LOW]
            if not gap <= margin:
                continue
            if count == con.shape[1]:
                return -TOO_MANY_CONTACTS
            _empty(con, slot, count)
            con[slot, count, PAIR] = pairs.shape[0] + 2 * dof + side
            con[slot, count, GAP] = gap
            con[slot, count, NORMAL + 2] = -1.0 if side else 1.0
            con[slot, count, ROW_A], con[slot, count, TREE_A], con[slot, count, TREE_B] = (
                -1 - dof,
                order[dof, ORDER_TREE],
                -1,
            )
            con[slot, count, SPEED] = speeds[slot, order[dof, ORDER_TREE]]
            con[slot, count, CLOSED] = 1.0 if gap <= CLOSED_GAP else 0.0
            count += 1
    return count
