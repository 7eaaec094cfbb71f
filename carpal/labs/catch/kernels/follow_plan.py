"""The wanted joints along a plan, without any physics: to know beforehand if the arm can follow it."""

from carpal._core.compile import entry
from carpal.labs.catch.kernels.arm_chain import JOINTS
from carpal.labs.catch.kernels.follow import follow_turn, rates_along
from carpal.labs.catch.kernels.path import wish_at


@entry
def follow_plan(
    chain, links, period, knots, start_angles, wanted, wanted_rates, told,
    wish, desired, joint_rates, frames, A, N, x, start, stop, stride, slot,
):  # fmt: skip
    """The wanted angles and rates alone, every `period` seconds from zero; `told` gets worst residual and least |det J|."""
    for world in range(start, stop, stride):
        for i in range(JOINTS):
            desired[slot, i] = start_angles[world, i]
        told[world, 0], told[world, 1], told[world, 2] = 0.0, 1e9, -1.0
        for row in range(wanted.shape[1]):
            wish_at(knots, world, row * period, wish, slot)
            residual, _ = follow_turn(chain, links, wish, desired, joint_rates, frames, A, N, x, slot)
            det = rates_along(chain, links, wish, desired, joint_rates, frames, A, N, x, slot)
            told[world, 0], told[world, 1] = max(told[world, 0], residual), min(told[world, 1], det)
            if told[world, 2] < 0.0 and not residual < 1e-6:
                told[world, 2] = row * period
            for i in range(JOINTS):
                wanted[world, row, i] = desired[slot, i]
                wanted_rates[world, row, i] = joint_rates[slot, i]
    return 0
