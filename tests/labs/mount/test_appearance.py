"""The table is a picture: it moves with the slides and changes nothing that is computed."""

import numpy as np

import carpal
from carpal.tasks import make_task


def test_sleds_move_with_the_slides_and_the_frame_stands():
    model = make_task("mount").model
    bodies = {seen.name: seen.body for seen in model.visuals}
    assert bodies["table/frame"] is None and bodies["table/lower_sled"] == "arm/slide_x"
    assert bodies["table/pedestal"] == "arm/slide_y"
    assert sum("pulley" in name for name in bodies) >= 4 and sum("cable" in name for name in bodies) >= 6
    q = np.asarray(model.q_home)
    assert np.array_equal(carpal.mass_matrix(model, q), carpal.mass_matrix(model.replace(visuals=()), q))
    assert not model.shapes


def test_a_floating_base_has_no_table():
    assert make_task("mount", base="floating").model.visuals == ()
