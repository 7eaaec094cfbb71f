"""Is the path between two configurations free: proven by distances, or checked in steps of a stated length.

Conservative: where all pairs are farther apart than they can approach on what is left of the path, it is free; otherwise
go on by the least (distance / bound on motion) and check again. No gap is passed over, however thin the obstacle: a path that
is called free has no contact. A pair that comes within the tolerance counts as a hit.
In steps: as many as make no two shapes approach by more than the resolution between two checks; what is thinner than that
can be missed.
"""

import math

from carpal._core.compile import entry, kernel
from carpal.contact.kernels.broad_phase import block_gap_squared, oriented_gap, pair_gap_squared
from carpal.contact.kernels.collision import hit_where_placed
from carpal.contact.kernels.kinds import BLOCK_END, BLOCK_FIRST, PLANE, SHAPE_KIND
from carpal.contact.kernels.motion_bound import between, pair_speed
from carpal.contact.kernels.placing import place_shapes
from carpal.contact.kernels.scene_pair import pair_nearest

# columns of an answer: pair that hits (-1: free; -2: given up after MOST_STEPS), where on the path, its distance, checks
SWEEP_PAIR, SWEEP_AT, SWEEP_DISTANCE, SWEEP_CHECKS = 0, 1, 2, 3
SWEEP_COLUMNS = 4
MOST_STEPS = 1_000_000


@kernel
def find_speeds(joints, bodies, shapes, blocks, pairs, q0, q1, speeds, world, slot):
    """Bounds on the motion of every pair, and of every block its largest; returns the largest of all."""
    largest = 0.0
    for block in range(blocks.shape[0]):
        most = 0.0
        for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
            speed = pair_speed(joints, bodies, shapes, q0, q1, world, pairs[pair, 0], pairs[pair, 1])
            speeds[slot, pair] = speed
            most = max(most, speed)
        speeds[slot, pairs.shape[0] + block] = most
        largest = max(largest, most)
    return largest


@kernel
def _advance(shapes, groups, blocks, pairs, points, normals, boxes, tolerance, left, speeds, placed, work, slot):
    """(pair that hits or -1, its distance, how much of the path `left` is free from here)."""
    for block in range(blocks.shape[0]):
        most = speeds[slot, pairs.shape[0] + block] * left + tolerance
        if block_gap_squared(groups, blocks, placed, slot, block) > most * most:
            continue
        for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
            a, b, speed = pairs[pair, 0], pairs[pair, 1], speeds[slot, pair]
            near = speed * left + tolerance
            if pair_gap_squared(shapes, pairs, placed, slot, pair) > near * near:
                continue
            if shapes[b, SHAPE_KIND] != PLANE and oriented_gap(shapes, placed, slot, a, b) > near:
                continue
            _, distance, _, _, _ = pair_nearest(shapes, points, normals, boxes, math.inf, placed, work, slot, a, b)
            if distance <= tolerance:
                return pair, distance, 0.0
            if speed * left > distance:
                left = distance / speed
    return -1, 0.0, left


@kernel
def conservative(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, tolerance, q0, q1, q, speeds, placed, work, world, slot
):  # fmt: skip
    """(ok, pair, where on the path, distance, checks) of the first hit, by conservative advancement."""
    t, checks = 0.0, 0
    while t < 1.0 and checks < MOST_STEPS:
        between(joints, q0, q1, t, q, world, slot)
        if not place_shapes(joints, bodies, shapes, groups, q, placed, slot, slot):
            return False, -1, t, 0.0, checks
        checks += 1
        pair, distance, free = _advance(
            shapes, groups, blocks, pairs, points, normals, boxes, tolerance, 1.0 - t, speeds, placed, work, slot
        )
        if pair >= 0:
            return True, pair, t, distance, checks
        t = 1.0 if free >= 1.0 - t else t + free
    return True, (-1 if t >= 1.0 else -2), 1.0, 0.0, checks


@kernel
def in_steps(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, steps, q0, q1, q, placed, work, world, slot
):  # fmt: skip
    """(ok, pair, where on the path, distance, checks) of the first hit among steps + 1 checks."""
    for step in range(steps + 1):
        t = step / steps
        between(joints, q0, q1, t, q, world, slot)
        if not place_shapes(joints, bodies, shapes, groups, q, placed, slot, slot):
            return False, -1, t, 0.0, step
        pair = hit_where_placed(shapes, groups, blocks, pairs, points, normals, boxes, 0.0, placed, work, slot)
        if pair >= 0:
            _, distance, _, _, _ = pair_nearest(
                shapes, points, normals, boxes, math.inf, placed, work, slot, pairs[pair, 0], pairs[pair, 1]
            )
            return True, pair, t, distance, step + 1
    return True, -1, 1.0, 0.0, steps + 1


@entry
def sweep_batch(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, resolution, tolerance,
    q0, q1, answer, q, speeds, placed, work, start, stop, stride, slot,
):  # fmt: skip
    """answer[world]: see SWEEP_COLUMNS; resolution 0: conservative, else [m] between checks."""
    bad = 0
    for world in range(start, stop, stride):
        largest = find_speeds(joints, bodies, shapes, blocks, pairs, q0, q1, speeds, world, slot)
        if not largest < math.inf:
            bad = world + 1 if bad == 0 else bad
            continue
        if resolution > 0.0:
            steps = 1 + int(min(largest / resolution, float(MOST_STEPS)))
            ok, pair, t, distance, checks = in_steps(
                joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, steps, q0, q1, q, placed,
                work, world, slot,
            )  # fmt: skip
            if largest > resolution * MOST_STEPS and pair < 0:
                pair = -2
        else:
            ok, pair, t, distance, checks = conservative(
                joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, tolerance, q0, q1, q, speeds,
                placed, work, world, slot,
            )  # fmt: skip
        answer[world, SWEEP_PAIR] = pair
        answer[world, SWEEP_AT] = t
        answer[world, SWEEP_DISTANCE] = distance
        answer[world, SWEEP_CHECKS] = checks
        if not ok and bad == 0:
            bad = world + 1
    return bad
