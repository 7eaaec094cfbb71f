"""The quantities of figures 6.1 to 6.33 of Alkire (2020) for one of its cases, beside what its text says.

The figures themselves are lost. Six more runs: the table free; held open loop by the calculated reaction, by the measured one
and by the printed law; pushed without feedback; pushed with feedback.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.dynamics import com
from carpal.kinematics import fk
from carpal.labs.mount.compiled import run_compiled
from carpal.labs.mount.options import DEFAULT_PULSE
from carpal.labs.mount.scene import arm_offsets
from carpal.labs.mount.score import external_forces, torques_of
from carpal.labs.mount.table import pulley_angles
from carpal.spatial import Array
from carpal.tasks import Appendix, Curves

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.mount.task import Mount


@dataclass(frozen=True, eq=False)
class _Run:
    time: Array
    q: Array
    v: Array

    @property
    def table(self) -> Array:
        return self.q[:, :2]

    @property
    def away(self) -> Array:
        return np.linalg.norm(self.table, axis=1)


def _run(task: Mount, **changes: Any) -> _Run:
    """One run of the same task with some options changed, by the compiled loop."""
    import dataclasses

    kept = {
        "engine": "rigid",
        "drive": "exact",
        "base": "table",
        "mass_error": 0.0,
        "mass_spread": 0.0,
        "pulse": "none",
    }
    other = type(task)(**(dataclasses.asdict(task.options) | kept | changes))
    run = run_compiled(other, [0])
    return _Run(run.time, run.q[0], run.v[0])


def figures_of(task: Mount) -> Appendix:
    """The appendix of a case's report."""
    free = _run(task, control="none")
    held = _run(task, control="open")
    measured = _run(task, control="open", disturbance="measured")
    printed = _run(task, control="open", law="printed")
    pushed = _run(task, control="open", pulse="default")
    closed = _run(task, control="closed", pulse="default")
    first, n = arm_offsets(task.floating)[0], task.arm.nq
    joints = free.q[:, first : first + n]
    share = 1.0 / (1.0 + (task.table.mass + task.table.added_mass) / _mass(task))
    wanted = share * (com(task.arm, joints[0]) - com(task.arm, joints))[:, :2]
    acceleration = np.vstack([np.diff(free.v[:, :2], axis=0) / task.dt, np.zeros(2)])
    n1, n2, n9, n10, n11, n22, n23 = _numbers_of(task)
    rows = _rows(task, free, wanted, held, measured, printed, pushed, closed)
    two, both = ("x", "y"), ("x calculated", "y calculated", "x simulated", "y simulated")
    pulse = external_forces(np.array([DEFAULT_PULSE]), free.time, task.dt)
    time = free.time
    curves = [
        Curves("f6.1", f"Figure 6.{n1}a: tool, in the arm's frame", "m", ("x", "y", "z"), time, fk(task.arm, joints)[:, :3, 3]),
        Curves("f6.1c", f"Figure 6.{n1}c: joint angles", "rad", task.arm.joint_names, time, joints),
        Curves("f6.2", f"Figure 6.{n2}: free table, displacement", "m", two, time, free.table),
        Curves("f6.2a", f"Figure 6.{n2}: free table, acceleration", "m/s²", two, time, acceleration),
        Curves("f6.9", f"Figure 6.{n9}: displacement, calculated and simulated", "m", both, time,
               np.hstack([wanted, free.table])),
        Curves("f6.10", f"Figure 6.{n10}: pulley angles, open loop", "rad", ("pulley 5", "pulley 6"), time,
               pulley_angles(-wanted, task.options.pulley_radius)),
        Curves("f6.11", f"Figure 6.{n11}: open loop, residual", "m", ("calculated", "measured", "printed law"), time,
               np.stack([held.away, measured.away, printed.away], axis=1)),
        Curves("f6.21", "Figure 6.21: pulses", "N", two, time, pulse),
        Curves("f6.22", f"Figure 6.{n22}: pulses without feedback", "m", two, time, pushed.table),
        Curves("f6.23", f"Figure 6.{n23}: pulses with feedback", "m", two, time, closed.table),
    ]  # fmt: skip
    text = "The published figures are lost; the text is quoted in substance. Errata E4 to E8 say why its drifts are not possible."
    return Appendix(
        "Figures 6.1 to 6.33 of Alkire (2020)", text, ("figures", "what", "published text", "ours"), rows, curves
    )


def first_curves(task: Mount, recording: Recording) -> list[Curves]:
    """The three that a report begins with: the table's displacement, its cables, the tool's distance from the target."""
    time, q, u = (np.asarray(values, float) for values in (recording.time, recording.q, recording.u))
    first, n = arm_offsets(task.floating)[0], task.arm.nq
    away = np.linalg.norm(fk(task.arm, q[:, first : first + n])[:, :3, 3] - task.target, axis=1)
    shown = [Curves("mount.table", "Displacement of the table", "mm", ("x", "y"), time, 1e3 * q[:, :2])]
    if not task.floating and not task.table.stiffness:
        torques = torques_of(task, time, u)
        shown.append(Curves("mount.pulleys", "Torques of the pulleys", "N m", ("pulley 5", "pulley 6"), time, torques))
    return [
        *shown,
        Curves("mount.tool", "Distance of the tool from its target", "mm", ("tool",), time, 1e3 * away[:, None]),
    ]


def _numbers_of(task: Mount) -> tuple[int, ...]:
    """The figures' numbers of a case: those of case 1, and how far each case counts on."""
    from carpal.labs.mount.cases import CASES

    case = next(number for number, known in CASES.items() if known is task.case) - 1
    return tuple(first + step * case for first, step in ((1, 2), (2, 2), (9, 3), (10, 3), (11, 3), (22, 3), (23, 3)))


def _mass(task: Mount) -> float:
    return float(sum(body.inertia.mass for body in task.arm.bodies if body.inertia))


def _rows(
    task: Mount, free: _Run, wanted: Array, held: _Run, measured: _Run, printed: _Run, pushed: _Run, closed: _Run
) -> list[tuple[str, str, str, str]]:
    from carpal.labs.mount.cases import FIGURES

    at_2 = min(round(2.0 / task.dt), len(pushed.time) - 1)
    after = closed.away[min(round(1.6 / task.dt), len(closed.time) - 1)]
    x, y = free.table[-1]
    px, py = pushed.table[at_2]
    stopped = np.linalg.norm(free.v[-1, :2])
    arrived = _arrival(task)
    ours = (
        f"the tool arrives within 1 mm after {arrived:.3g} s, inside every joint limit",
        f"the table ends at ({x:+.4f}, {y:+.4f}) m and stands: {stopped:.1e} m/s",
        f"differ by at most {np.abs(wanted - free.table).max():.1e} m: two formulas",
        "opposite to the displacement that would have been, by the corrected map (E8)",
        f"calculated {held.away.max():.1e} m, measured {measured.away.max():.1e} m, printed law {printed.away.max():.1e} m",
        "the same; 150 N on y, 50 N on x",
        f"({px:+.3f}, {py:+.3f}) m: the ratio of the pulses (E7)",
        f"largest displacement {closed.away.max() * 1e3:.3g} mm",
        f"{after:.1e} m, 1.5 s after the pulses",
    )
    return [(*row, mine) for row, mine in zip(FIGURES, ours, strict=True)]


def _arrival(task: Mount) -> float:
    error = np.linalg.norm(fk(task.arm, task.motion.q)[:, :3, 3] - task.target, axis=1)
    away = np.flatnonzero(error > 1e-3)
    return float(task.dt * (away[-1] + 1)) if len(away) else 0.0
