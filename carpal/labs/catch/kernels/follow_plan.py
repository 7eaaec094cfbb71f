"""The wanted joints along a plan, without any physics: to know beforehand whether the arm can follow it."""

from typing import Any, NamedTuple

from carpal._core.compile import entry
from carpal.labs.catch.kernels.arm_chain import JOINTS
from carpal.labs.catch.kernels.follow import follow_turn, rates_along
from carpal.labs.catch.kernels.path import path_at

# columns of `report`: worst residual [m, rad], least |det J|, when the path was lost [s] (-1: never)
WORST, LEAST_DET, LOST = 0, 1, 2
REPORT_COLUMNS = 3


class FollowInputs(NamedTuple):
    """Each plan's knots and the joint angles that it starts from."""

    knots: Any
    start: Any


class FollowOutputs(NamedTuple):
    """Wanted angles and rates of each row, and a report of the whole path."""

    wanted: Any
    rates: Any
    report: Any


@entry
def follow_plan(chain, links, period, inputs, outputs, scratch, start, stop, stride, slot):
    """Wanted angles and rates every `period` seconds from zero."""
    report = outputs.report
    for world in range(start, stop, stride):
        for i in range(JOINTS):
            scratch.desired[slot, i] = inputs.start[world, i]
        report[world, WORST], report[world, LEAST_DET], report[world, LOST] = 0.0, 1e9, -1.0
        for row in range(outputs.wanted.shape[1]):
            path_at(inputs.knots, world, row * period, scratch.target, slot)
            residual, _ = follow_turn(chain, links, scratch, slot)
            det = rates_along(chain, links, scratch, slot)
            report[world, WORST] = max(report[world, WORST], residual)
            report[world, LEAST_DET] = min(report[world, LEAST_DET], det)
            if report[world, LOST] < 0.0 and not residual < 1e-6:
                report[world, LOST] = row * period
            for i in range(JOINTS):
                outputs.wanted[world, row, i] = scratch.desired[slot, i]
                outputs.rates[world, row, i] = scratch.rates[slot, i]
    return 0
