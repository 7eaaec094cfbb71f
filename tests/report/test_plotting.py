import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import joint_trajectory
from carpal.report.plotting import plot


def test_a_run_shows_its_curves(reached, tmp_path):
    figure = reached.recording.plot(tmp_path / "run.png")
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert titles[0] == "Joint angles [rad]" and len(titles) >= 4
    line = figure.axes[0].lines[0]
    rows = np.searchsorted(reached.recording.time, line.get_xdata())
    assert np.array_equal(line.get_ydata(), reached.recording.q[rows, 0]), "what is drawn is what was recorded"
    assert (tmp_path / "run.png").stat().st_size > 10_000
    assert len(reached.plot().axes) == len(figure.axes)


def test_models_scenes_motions_and_answers():
    arm = carpal.load("k10")
    assert plot(arm).axes and plot(carpal.Scene("cell").add_robot(arm, name="arm")).axes
    assert len(plot(joint_trajectory(arm, [np.zeros(5), np.full(5, 0.2)])).axes) == 3
    many = plot(carpal.kinematics.ik(arm, np.array([[0.4, 0.1, 0.2], [0.4, 0.0, 0.3]])))
    assert len(many.axes) == 2


def test_what_has_no_picture_says_so():
    with pytest.raises(InputError, match="a Score has nothing to plot"):
        carpal.tasks.Score(True, "done").plot()
    with pytest.raises(InputError, match="not finite"):
        plot(carpal.load("k10"), q=np.full(5, np.nan))
