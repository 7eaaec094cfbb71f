"""A rover's arm picks a relay up: localised, planned for, carried while it swings, put down; and the same without planning.

The pick-up is done stage by stage in simulated truth. Planning compiles for a minute or two on a new machine.
"""

import numpy as np

from carpal.labs.retrieve import PickSetting, RetrieveCycle, RetrieveWorld, check_reach, plan_cycle, relay_pose

# can it be grasped at its pose; if not, why?
for place in ((0.36, 0.35, -1.24), (1.2, 0.0, 0.0), (0.19, 0.17, 2.22)):
    print(check_reach(relay_pose(*place)))

cycle = RetrieveCycle(RetrieveWorld((0.36, 0.35, -1.24), seed=1), planner="sbl", seed=1)
while not cycle.done:
    report = cycle.step()
    print(f"{report.name:9} {report.status}")
    if report.name == "carry":
        turned = np.degrees(np.ptp(report.angles))
        print(
            f"          the relay turned by {turned:.0f} degrees in the gripper, {cycle.chosen.rest.carry.angles.settled}"
        )
result = cycle.result()
print(result)
print(cycle.budget)

# stopped while the relay is lifted: it is set down again, the arm goes home
again = RetrieveCycle(RetrieveWorld((0.36, 0.35, -1.24), seed=1), plan=cycle.chosen)
while again.stage != "carry":
    again.step()
again.abort(at=again.clock - 5.0)
print(again.result())

straight = plan_cycle(PickSetting("none"), relay_pose(0.36, 0.35, -1.24))
print(f"without planning it would take {straight.duration:.0f} s")

assert result.ok and result.numbers["collisions"] == 0 and not again.held
