import numpy as np
import pytest
from finger_inputs import facts_finger
from matplotlib import image

from carpal.labs.finger import (
    FingerRecord,
    assumed_finger,
    choose_springs,
    design_springs,
    identify_finger,
    printed_motion,
    simulate_finger,
    tendon_sweep,
)
from carpal.labs.finger.figures import draw_finger, save_finger_design, save_finger_fit, save_finger_motion
from carpal.report.curves import COLOURS
from carpal.report.pictures.robot_pictures import pyplot


def drawn(path):
    """Share of pixels that are neither white nor grey."""
    pixels = image.imread(path)[..., :3]
    assert pixels.shape[0] > 300 and pixels.shape[1] > 400
    return float((np.ptp(pixels, axis=-1) > 0.2).mean())


def test_motion_with_the_printed_equations(tmp_path):
    finger = facts_finger()
    motion = simulate_finger(finger, (0.3, 0.2, 0.1), duration=0.2)
    printed = printed_motion(finger, (0.3, 0.2, 0.1), duration=0.05)
    assert drawn(save_finger_motion(motion, tmp_path / "a" / "motion.png", printed)) > 0.005


@pytest.mark.parametrize("closes", [False, True])
def test_design(closes, tmp_path):
    options = {"order": (1, 2, 3), "tension": 20.0} if closes else {}
    design = design_springs(assumed_finger(), np.radians((5, 3, 2)), **options)
    assert drawn(save_finger_design(design, choose_springs(design), tmp_path / "design.png")) > 0.002
    assert drawn(save_finger_design(design, None, tmp_path / "alone.png")) > 0.001


def test_fit(tmp_path):
    time = np.arange(126) / 125
    motion = simulate_finger(assumed_finger(), (0.2, 0.1, 0.1), time=time, load=tendon_sweep(time, 4.0))
    record = FingerRecord.of_motion(motion, 2e-3, 1)
    assert drawn(save_finger_fit(identify_finger(assumed_finger(), record), record, tmp_path / "fit.png")) > 0.005


def test_a_finger_is_drawn_where_it_is():
    plt = pyplot()
    figure, ax = plt.subplots()
    finger = facts_finger()
    draw_finger(ax, finger, np.array((np.pi / 2, 0.0, 0.0)), COLOURS[0], 1.0)
    assert np.allclose(ax.lines[0].get_xydata()[-1], (100.0, 0.0), atol=1e-9)
    plt.close(figure)
