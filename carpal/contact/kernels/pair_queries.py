"""Loops over many placements of two convex shapes: what `contact/pairs.py` calls."""

import math

from carpal._core.compile import entry
from carpal.contact.kernels.manifold import MANIFOLD, manifold
from carpal.contact.kernels.mesh_tree import position_in, rotation_in
from carpal.contact.kernels.pair import NO_PAIR, nearer_than, nearest
from carpal.model.kernels.tables import vector_at

# columns of an answer
DISTANCE, POINT_A, POINT_B, NORMAL, STATUS, ANSWER = 0, 1, 4, 7, 10, 11
SUMMARY = 6


@entry
def nearest_batch(
    kind_a, start_a, count_a, kind_b, start_b, count_b, points, size_a, X_WA, size_b, X_WB, answer, scratch,
    start, stop, stride, slot,
):  # fmt: skip
    """Fill answer[world] from sizes (worlds, 3) and poses (worlds, 4, 4)."""
    for world in range(start, stop, stride):
        status, distance, p_WA, p_WB, n = nearest(
            kind_a, vector_at(size_a, world, 0), start_a, count_a, rotation_in(X_WA, world), position_in(X_WA, world),
            kind_b, vector_at(size_b, world, 0), start_b, count_b, rotation_in(X_WB, world), position_in(X_WB, world),
            points, scratch, slot,
        )  # fmt: skip
        answer[world, DISTANCE], answer[world, STATUS] = distance, status
        for k in range(3):
            answer[world, POINT_A + k], answer[world, POINT_B + k] = p_WA[k], p_WB[k]
            answer[world, NORMAL + k] = n[k]
        if status == NO_PAIR or not math.isfinite(distance + n[0] + n[1] + n[2]):
            return 1 + world
    return 0


@entry
def nearer_batch(
    kind_a, start_a, count_a, kind_b, start_b, count_b, points, margin, size_a, X_WA, size_b, X_WB, answer, scratch,
    start, stop, stride, slot,
):  # fmt: skip
    """answer[world, 0] = 1 where the distance is at most margin [m], else 0."""
    for world in range(start, stop, stride):
        answer[world, 0] = nearer_than(
            kind_a, vector_at(size_a, world, 0), start_a, count_a, rotation_in(X_WA, world), position_in(X_WA, world),
            kind_b, vector_at(size_b, world, 0), start_b, count_b, rotation_in(X_WB, world), position_in(X_WB, world),
            margin, points, scratch, slot,
        )  # fmt: skip
    return 0


@entry
def manifold_batch(
    kind_a, start_a, count_a, kind_b, start_b, count_b, points, margin, size_a, X_WA, size_b, X_WB, contacts, summary,
    scratch, start, stop, stride, slot,
):  # fmt: skip
    """Fill contacts[world, i] = (point, depth), zeros beyond the last, and summary[world] = (count, distance, normal, status)."""
    for world in range(start, stop, stride):
        for i in range(MANIFOLD):
            for k in range(4):
                contacts[world, i, k] = 0.0
        status, count, distance, n = manifold(
            kind_a, vector_at(size_a, world, 0), start_a, count_a, rotation_in(X_WA, world), position_in(X_WA, world),
            kind_b, vector_at(size_b, world, 0), start_b, count_b, rotation_in(X_WB, world), position_in(X_WB, world),
            margin, contacts, world, points, scratch, slot,
        )  # fmt: skip
        summary[world, 0], summary[world, 1], summary[world, 5] = count, distance, status
        summary[world, 2], summary[world, 3], summary[world, 4] = n[0], n[1], n[2]
        if status == NO_PAIR or not math.isfinite(distance + n[0] + n[1] + n[2]):
            return 1 + world
    return 0
