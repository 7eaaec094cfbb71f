"""The drawn target is where the tool arrives; the drawn forces are those that move the table, by Newton's law."""

import numpy as np

from carpal.kinematics import fk
from carpal.labs.mount.drawn_marks import arm_frame, force_marks, target_marks
from carpal.tasks import make_task


def test_the_tool_ends_on_the_target():
    task = make_task("mount", control="closed", duration=3.0)
    recording = task.run(seed=0).recording
    (mark,) = target_marks(task)
    assert np.allclose(fk(task.model, recording.q[-1])[:3, 3], mark.points[0], atol=1e-4)


def test_a_circle_is_drawn_in_the_tables_plane():
    task = make_task("mount", circle=0.05)
    (mark,) = target_marks(task)
    middle = (arm_frame(task) @ [*task.target, 1.0])[:3]
    assert mark.kind == "path" and np.allclose(np.linalg.norm(mark.points - middle, axis=1), 0.05)
    assert np.allclose(mark.points[:, 2], middle[2])


def test_forces_are_those_that_accelerate_the_table():
    """A pushed table: mass times acceleration is the sum of what is drawn, the arm's reaction being that of a table at rest."""
    task = make_task("mount", control="open", pulse="100 0 0.1 0.2", duration=0.3, dt=1e-3)
    recording = task.run(seed=0).recording
    marks = {mark.name.partition(",")[0]: mark for mark in force_marks(task, recording)}
    assert set(marks) == {"reaction of the arm", "force of the cables", "push"}
    total = sum(mark.vectors for mark in marks.values())
    pushed = (recording.time > 0.11) & (recording.time < 0.19)
    assert np.allclose(total[pushed, 0], 100.0, atol=0.5), "the cables cancel the reaction, the push is left"
    speed = recording.v[pushed, 0]
    change = (speed[-1] - speed[0]) / np.ptp(recording.time[pushed])
    assert np.isclose(task.sliding_mass * change, 100.0, rtol=0.03)
    assert np.allclose(marks["push"].vectors[~pushed & (np.abs(recording.time - 0.15) > 0.06)], 0.0)


def test_nothing_is_drawn_on_a_base_that_floats():
    task = make_task("mount", base="floating", control="none", duration=0.02)
    assert target_marks(task) == () and force_marks(task, task.run(seed=0).recording) == ()
