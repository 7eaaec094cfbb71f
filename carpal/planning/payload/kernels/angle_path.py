"""The set of a payload's angles at every sample of a path, from gravity as the gripper sees it."""

from carpal._core.compile import entry
from carpal.planning.payload.kernels.angle_set import (
    CELLS,
    KNOWN,
    STANDING,
    STATE,
    WAITING,
    clear_set,
    rest_between,
    settle_set,
    step_set,
)

# columns of a report: whether the angle is known at the end, width of the settled set [rad], samples with an empty set (never)
IS_KNOWN, WIDTH, EMPTY = 0, 1, 2
REPORT = 3


@entry
def angle_path_batch(
    payload, holding, grasp, gravity, seconds, states, settled, report, angles, start, stop, stride, slot
):
    """states[world, sample, cell] and settled[world, 0, cell], the set after waiting at the end; [world, 1, cell]: while waiting.

    grasp [world, 2]: angle at the beginning and its uncertainty [rad]; gravity [world, sample, 3] in the gripper's frame;
    seconds [world, sample]: at least what the path to that sample took.
    """
    for world in range(start, stop, stride):
        clear_set(angles, slot)
        rest_between(angles, grasp[world, 0] - grasp[world, 1], grasp[world, 0] + grasp[world, 1], slot)
        empty = 0.0
        for sample in range(gravity.shape[1]):
            g1 = gravity[world, sample, 0], gravity[world, sample, 1], gravity[world, sample, 2]
            if sample == 0:
                step_set(payload, holding, angles, g1, g1, STANDING, slot)
            else:
                g0 = gravity[world, sample - 1, 0], gravity[world, sample - 1, 1], gravity[world, sample - 1, 2]
                step_set(payload, holding, angles, g0, g1, seconds[world, sample], slot)
            count = 0.0
            for r in range(CELLS):
                states[world, sample, r] = angles[slot, STATE, r]
                count += angles[slot, STATE, r]
            if count == 0.0:
                empty += 1.0
        last = gravity.shape[1] - 1
        g = gravity[world, last, 0], gravity[world, last, 1], gravity[world, last, 2]
        width = settle_set(payload, holding, angles, g, slot)
        for r in range(CELLS):
            settled[world, 0, r], settled[world, 1, r] = angles[slot, STATE, r], angles[slot, WAITING, r]
        report[world, IS_KNOWN] = 1.0 if width <= payload[KNOWN] else 0.0
        report[world, WIDTH], report[world, EMPTY] = width, empty
    return 0
