"""The policy is called period after period and gives staged or held controls; settings reach the kernels' tables."""

import numpy as np
import pytest

from carpal.engines import Staged
from carpal.errors import InputError
from carpal.labs.mount.controller import arm_table, control_scratch, control_table, control_tables, delay_periods
from carpal.labs.mount.kernels import control as k
from carpal.labs.mount.kernels import table as columns
from carpal.model import State
from carpal.tasks import make_task


def test_it_is_called_in_order():
    task = make_task("mount", case=2, control="open")
    policy, home = task.policy(), State.home(task.model)
    assert isinstance(policy(0.0, home), Staged)
    with pytest.raises(InputError, match="expected 1, got 5"):
        policy(5e-3, home)


def test_torques_are_held():
    task = make_task("mount", case=2, drive="torque", control="open")
    assert task.policy()(0.0, State.home(task.model)).shape == (9,)


def test_settings_are_in_their_columns():
    task = make_task("mount", case=3, control="closed", law="printed", disturbance="measured", delay=4e-3, torque_max=2.0,
                     dead_joint=3, sensor_noise=1e-5)  # fmt: skip
    table = control_table(task)
    assert arm_table(task).law == k.PRINTED
    assert table.loop[columns.DELAY] == delay_periods(task) == 4
    assert table.loop[columns.FEEDBACK] == columns.POSITION and table.loop[columns.KP] == task.gains.kp
    assert table.drive[columns.LARGEST] == 2.0 and table.drive[columns.SLIP] == np.inf
    assert table.setup[k.DEAD_JOINT] == 2
    assert table.setup[k.MEASURED] == table.setup[k.PREDICTED] == table.setup[k.TABLE] == 1
    assert control_scratch(task)[1] == (5, 2)
    assert len(control_scratch(task)) == len(k.ControlScratch._fields)


def test_open_loop_has_no_feedback_and_a_floating_base_no_table():
    assert control_table(make_task("mount", control="open")).loop[columns.FEEDBACK] == columns.NO_FEEDBACK
    floating = make_task("mount", base="floating")
    _, table, place = control_tables(floating)
    assert table.setup[k.TABLE] == 0.0 and (place.first_q, place.first_v) == (7, 6)
    assert place.dofs[6:, 0].all() and not place.dofs[:6, 0].any()
