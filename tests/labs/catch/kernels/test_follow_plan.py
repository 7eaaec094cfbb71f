"""The wanted joints along a plan: its ends are exact, and a point out of reach is told with its time."""

import numpy as np
import pytest
from catch_inputs import Q_DROP

from carpal.errors import InputError
from carpal.labs.catch.arm_tables import follow_plans
from carpal.labs.catch.task import Catch


def test_all_thirty_points_are_reached_on_one_branch(figure):
    task = Catch(grid=True)
    plans = [task.plan_of(task.draw(seed)) for seed in range(30)]
    wanted, rates, told = follow_plans(plans, plans[0].open_time, 1e-3)
    figure("catch: worst residual of the path-following inverse kinematics, 30 points", told[:, 0].max(), 1e-9)
    figure(
        "catch: least |det J| on the way to the catch and the bin, 30 points", told[:, 1].min(), 0.0079, at_least=True
    )
    assert (told[:, 2] < 0).all()
    away = np.angle(
        np.exp(1j * (wanted[:, -1] - Q_DROP))
    )  # the sheet's drop pose, given modulo whole turns and to 0.1 deg
    assert np.abs(away).max() < 2e-3
    slope = np.gradient(wanted, 1e-3, axis=1)[:, 5:-5]
    figure("catch: wanted rates against differences [rad/s]", np.abs(slope - rates[:, 5:-5]).max(), 0.05)


def test_out_of_reach_is_told():
    with pytest.raises(InputError, match="out of reach: the hand loses its path"):
        Catch(x=1.2).check()
