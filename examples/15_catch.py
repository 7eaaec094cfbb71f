"""A thrown ball is caught, carried and dropped in a bin; the numbers beside Yesmunt's."""

import numpy as np

from carpal.tasks import make_task

task = make_task("catch", x=0.2, y=0.14)  # where the ball crosses the catch plane, on Yesmunt's grid [m]
result = task.run(seed=0)
print(result)

for what, thesis, ours, unit in result.score.published:
    print(f"{what:<28} thesis {thesis:5.2f}   ours {ours:6.3f} {unit}")

numbers, recording = result.score.numbers, result.recording
print("largest torque of each joint", np.round(numbers["peak_torque_Nm"], 1), "N m; thesis: over 200")
held = recording.contacts[np.searchsorted(recording.time, 1.0)]
print("at 1 s the ball is touched by", sorted(({c.a for c in held} | {c.b for c in held}) - {"ball"}))
assert result and numbers["caught"] and numbers["in_bin"]
