"""Five fingers hold a box, two of them leave: force closure is lost, and the box turns (Chan 1998, example 2)."""

import numpy as np

from carpal.contact import analyse_grasp
from carpal.tasks import make_task

task = make_task("dexterity", example=2)
result = task.run()
print(result)

for observation in task.summary(result.score)["observations"]:
    print(f"{observation['name']:<18} {observation['value']:<12.4g} published: {observation['published'] or '-'}")

outcome = task.outcome(result.recording)
before, after = (analyse_grasp(outcome.grasp_at(outcome.row(t))) for t in (0.15, 0.205))
print("with five fingers:", before)
print("with three:       ", after)
print(
    "the box has turned by", round(np.degrees(outcome.turned[-1]), 1), "degrees; certificate:", result.recording.check()
)
assert result and before and not after
