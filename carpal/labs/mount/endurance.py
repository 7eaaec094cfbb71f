"""Runs of hours: the same move there and back, repeated, in segments between which progress is shown and Ctrl-C is handled.

In open loop the table integrates every error of the prediction twice; in closed loop it does not. One row a second is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from carpal._core.progress import Bar
from carpal.engines import Recorder, Recording
from carpal.errors import DivergedError
from carpal.kinematics import JointMotion, quintic_move, quintic_time
from carpal.labs.mount.compiled import run_segment
from carpal.labs.mount.scene import plant_engine
from carpal.tasks import options_as_dict

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount

ROW = 1.0
"""Time between kept rows [s]."""
SEGMENT = 60.0
"""Simulated time of one call [s]; Ctrl-C is handled after it."""


def there_and_back(motion: JointMotion, task: Mount) -> JointMotion:
    """The motion, and the quintic home from where it ends."""
    home, end = motion.q[0], motion.q[-1]
    time = 1.05 * quintic_time(end, home, task.arm.v_max, task.options.acceleration)
    return motion.followed_by(quintic_move(end, home, time, motion.dt))


def record_endurance(task: Mount, seed: int, parts: Path | None, progress: bool) -> Recording:
    """A long run as a recording of one row a second."""
    from carpal.model import State

    engine = plant_engine(task.model, task.table, task.arm, dt=task.dt, prescribed=task.options.drive == "exact")
    metadata = {
        "seed": seed, "engine": engine.name, "dt": engine.dt, "integrator": engine.integrator,
        "engine_options": engine.options, "options": {"task": task.name, **options_as_dict(task.options)},
    }  # fmt: skip
    recorder = Recorder(task.model, metadata, parts)
    every = round(ROW / task.dt)
    total, done, segment = round(task.options.endurance / task.dt), 0, None
    work_in = dissipated = 0.0
    with Bar(task.options.endurance, "simulated seconds", shown=progress) as bar:
        try:
            while done < total:
                steps = min(total - done, round(SEGMENT / task.dt))
                run, after = run_segment(task, [seed], segment, steps, every=every)
                if run.done[0] < steps:
                    at = run.time[0] + run.done[0] * task.dt
                    raise DivergedError(f"the run diverged at t = {at:.6g} s; try a smaller dt or bandwidth.")
                for row in range(0 if segment is None else 1, len(run.time)):
                    q, v, work = run.q[0, row], run.v[0, row], run.work[0, row]
                    kinetic, potential = engine.energies(State(run.time[row], q, v))
                    ledger = {"kinetic": float(kinetic), "potential": float(potential)}
                    ledger |= {"work_in": work_in + work[0], "dissipated": dissipated + work[1]}
                    recorder.add(float(run.time[row]), q, v, run.u[0, row], ledger)
                work_in, dissipated = work_in + run.work[0, -1, 0], dissipated + run.work[0, -1, 1]
                segment, done = after, done + steps
                bar.to(done * task.dt)
        except KeyboardInterrupt:
            return recorder.finish(interrupted=True)
    return recorder.finish()
