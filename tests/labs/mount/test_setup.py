"""Settings reach the kernels' tables."""

import numpy as np

from carpal.labs.mount.kernels import control as k
from carpal.labs.mount.kernels import table as loop_columns
from carpal.labs.mount.setup import arm_places, control_constants, delay_periods, desk_shapes, drive_dofs
from carpal.tasks import make_task


def test_the_numbers_are_in_their_places():
    task = make_task("mount", case=3, control="closed", law="printed", disturbance="measured", delay=4e-3, torque_max=2.0,
                     dead_joint=3, sensor_noise=1e-5)  # fmt: skip
    constants = control_constants(task)
    law, loop, drive, setup = constants[2], constants[7], constants[8], constants[10]
    assert law == 1 and loop[loop_columns.DELAY] == delay_periods(task) == 4
    assert loop[loop_columns.FEEDBACK] == loop_columns.POSITION and loop[loop_columns.KP] == task.gains.kp
    assert drive[loop_columns.LARGEST] == 2.0 and drive[loop_columns.SLIP] == np.inf
    assert setup[k.DEAD_JOINT] == 2 and setup[k.MEASURED] == setup[k.PREDICTED] == setup[k.TABLE] == 1
    assert desk_shapes(task)[1] == (5, 2)


def test_open_loop_has_no_feedback_and_a_floating_base_no_table():
    open_loop = control_constants(make_task("mount", control="open"))
    assert open_loop[7][loop_columns.FEEDBACK] == loop_columns.NO_FEEDBACK
    floating = make_task("mount", base="floating")
    assert control_constants(floating)[10][k.TABLE] == 0.0 and arm_places(floating) == (7, 6)
    assert drive_dofs(floating)[6:, 0].all() and not drive_dofs(floating)[:6, 0].any()
