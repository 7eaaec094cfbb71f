"""Settings: planners by name, a place of two numbers; without a planner paths are straight."""

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT, stored

from carpal.errors import InputError, UnknownNameError
from carpal.labs.retrieve import HOME, PickSetting, relay_pose
from carpal.labs.retrieve.planning.pick_setting import PLANNERS


def test_bad_settings_are_refused():
    with pytest.raises(UnknownNameError, match="unknown planner 'prm'; valid: sbl, est, rrt, none"):
        PickSetting(planner="prm")
    with pytest.raises(InputError, match="place must be two finite numbers"):
        PickSetting(place=(0.3, float("nan")))
    assert set(PLANNERS) == {"sbl", "est", "rrt", "none"}


def test_without_a_planner_the_way_is_one_straight_line_through_anything():
    setting = PickSetting("none")
    goal = HOME + np.array([-1.0, -0.1, 0.3, 0.0, 0.2])
    free = setting.free_path(relay_pose(0.2, 0.0, 0.0)[None], HOME, goal)
    assert not setting.checks_collisions and free.found is None and np.allclose(free.path, [HOME, goal])
    q = free.motion.sample(0.5)[0]
    off = np.linalg.norm(np.cross((q - HOME)[:, :3], (goal - HOME)[:3]), axis=1)
    assert off.max() < 1e-9 and free.motion.check(setting.model)


@pytest.mark.full
def test_a_planned_way_keeps_its_margin():
    from carpal.contact import distance
    from carpal.labs.retrieve.scene import NEAR, scene_with_relays

    relay = relay_pose(*RELAY_AT)[None]
    free = PickSetting("sbl").free_path(relay, HOME, stored().path[-1])
    assert free.motion is not None and free.motion.check(PickSetting().model)
    q = free.motion.sample(0.2)[0]
    assert float(distance(scene_with_relays(relay), q).distance.min()) > 0.9 * NEAR
