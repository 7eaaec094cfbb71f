import numpy as np
import pytest

import carpal
from carpal._core.drawers import DRAWERS, drawer


@pytest.mark.parametrize("verb", list(DRAWERS))
def test_every_verb_is_filled_by_a_higher_room(verb):
    assert callable(drawer(verb))


def test_nouns_show_and_plot_themselves(tmp_path):
    arm = carpal.load("so101_old")
    with arm.show(np.asarray(arm.q_home) + 0.1, shadows=False) as page:
        assert np.allclose(page.q, np.asarray(arm.q_home) + 0.1)
    with carpal.Scene("cell").add_robot(arm, name="arm").show(shadows=False) as page:
        assert page.model.name == "cell"
    figure = arm.plot(tmp_path / "arm.png")
    assert (tmp_path / "arm.png").read_bytes()[:4] == figure._repr_png_()[:4] == b"\x89PNG"
