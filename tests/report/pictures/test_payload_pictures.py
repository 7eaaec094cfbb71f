"""Pictures of figures 34 to 36: every zone and every state has its colour on them."""

import numpy as np
from matplotlib import image

from carpal.planning import AngleSet, relay_payload
from carpal.report.pictures.payload_pictures import (
    CELL_COLOURS,
    COLOURS,
    draw_cells,
    save_friction_map,
    save_tilt_picture,
)
from carpal.report.pictures.robot_pictures import pyplot


def inked(path, colour):
    ink = image.imread(path)[..., :3]
    rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return int((abs(ink - rgb).max(-1) < 0.02).sum())


def test_the_friction_map_shows_three_zones(tmp_path):
    path = save_friction_map(relay_payload(), tmp_path / "sub" / "map.png", steps=61)
    assert all(inked(path, colour) > 3000 for colour in COLOURS.values())


def test_the_tilt_picture_shows_rest_and_passing(tmp_path):
    path = save_tilt_picture(
        relay_payload(as_published=True, acceleration=0.0), tmp_path / "tilt.png", tilts=(20, 29.9, 49, 70)
    )
    assert all(inked(path, colour) > 100 for colour in CELL_COLOURS)


def test_a_circle_of_cells(tmp_path):
    plt = pyplot()
    figure, axes = plt.subplots()
    states = np.zeros(180)
    states[90:100] = 1
    draw_cells(axes, AngleSet(states), gravity=0.3, title="set")
    assert len(axes.patches) == 180 and axes.get_title() == "set" and len(axes.lines) == 1
    plt.close(figure)
