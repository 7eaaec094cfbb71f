import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.viewer import ReplayPage, RobotPage


def test_models_and_scenes_are_pages_and_recordings_are_replays(reached):
    arm = carpal.load("k10")
    with carpal.view(arm, np.full(5, 0.1), shadows=False) as page:
        assert isinstance(page, RobotPage) and np.allclose(page.q, 0.1)
    scene = carpal.Scene("cell").add_robot(arm, name="arm")
    with carpal.view(scene, shadows=False) as page:
        assert page.model.nq == 5
    assert isinstance(carpal.view(reached.recording), ReplayPage)
    assert isinstance(carpal.view(reached), ReplayPage), "a result that has a recording"


def test_what_cannot_be_shown_is_refused(reached):
    with pytest.raises(InputError, match="view needs a Scene or a Model; got the str 'panda'"):
        carpal.view("panda")
    with pytest.raises(InputError, match="neither q nor wait"):
        carpal.view(reached.recording, np.zeros(7))
