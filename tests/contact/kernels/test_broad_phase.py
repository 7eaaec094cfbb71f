"""Bounds never exceed true distances, and no pair within a margin is skipped."""

import numpy as np
from collision_scenes import zoo

from carpal.contact import contact_tables, distance
from carpal.contact.kernels import broad_phase, kinds
from carpal.contact.kernels.placing import place_shapes
from carpal.kinematics import random_configurations

MODEL = zoo(4).build()
TABLES = contact_tables(MODEL)
Q = random_configurations(MODEL, 6, seed=2)


def test_gaps_bound_every_distance_from_below():
    joints, bodies, shapes, groups, blocks, pairs = TABLES.constants[:6]
    placed = np.empty((1, TABLES.placed_rows, kinds.PLACED_COLUMNS))
    block_of = np.repeat(np.arange(len(blocks)), blocks[:, kinds.BLOCK_END] - blocks[:, kinds.BLOCK_FIRST])
    seen = tighter = 0
    for world in range(len(Q)):
        for pair in range(0, len(pairs), 7):
            names = TABLES.pair_names(pair)
            others = [(a, b) for a, b in map(TABLES.pair_names, range(len(pairs))) if (a, b) != names]
            true = float(distance(MODEL, Q[world], exclude=others).distance)
            place_shapes(joints, bodies, shapes, groups, Q, placed, world, 0)
            gap = np.sqrt(broad_phase.pair_gap_squared(shapes, pairs, placed, 0, pair))
            box = broad_phase.placed_box(placed, 0, blocks[block_of[pair], kinds.BLOCK_PLACED_A])
            group_gap = np.sqrt(broad_phase.block_gap_squared(groups, blocks, placed, 0, block_of[pair]))
            a, b = pairs[pair, :2]
            if shapes[b, kinds.SHAPE_KIND] != kinds.PLANE:
                own = broad_phase.oriented_gap(shapes, placed, 0, a, b)
                assert own <= true + 1e-12
                tighter += own > gap + 1e-9
            assert group_gap - 1e-12 <= gap <= max(true, 0.0) + 1e-12
            for margin in (0.0, 0.05, true + 1e-9):
                if true <= margin:
                    assert broad_phase.pair_within(shapes, pairs, placed, 0, pair, margin)
                    assert broad_phase.block_within(groups, blocks, placed, 0, block_of[pair], *box, margin)
            seen += gap > 0
    assert seen > 50 and tighter > 20


def test_boxes():
    a = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    b = ((4.0, 5.0, 0.0), (5.0, 6.0, 1.0))
    assert broad_phase.gap_squared(*a, *b) == 25.0
    assert broad_phase.gap_squared(*b, *a) == 25.0
    assert broad_phase.gap_squared(*a, *a) == 0.0
    assert not broad_phase.boxes_within(*a, *b, 3.9) and broad_phase.boxes_within(*a, *b, 4.0)


def test_height_over_a_tilted_plane():
    shapes = np.zeros((1, kinds.SHAPE_COLUMNS))
    s = np.sqrt(0.5)  # normal (s, 0, s), through (1, 0, 0)
    shapes[0, kinds.SHAPE_ROTATION : kinds.SHAPE_ROTATION + 9] = s, 0, s, 0, 1, 0, -s, 0, s
    shapes[0, kinds.SHAPE_POSITION] = 1.0
    height = broad_phase.height_over_plane(shapes, 0, (1.0, -1.0, 1.0), (2.0, 1.0, 3.0))
    assert abs(height - s) < 1e-15
