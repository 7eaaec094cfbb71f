import numpy as np
import pytest
from random_models import random_chain

import carpal
from carpal.kinematics import random_configurations, reach_bound


@pytest.mark.parametrize("name", ["sawyer", "sia5", "srs7", "k10", "catcher_arm", "so101_old"])
def test_no_configuration_exceeds_the_bound(name, figure):
    model = carpal.load(name)
    bound = reach_bound(model, model.tool)
    X = carpal.fk(model, random_configurations(model, 20_000, seed=1))
    short = bound.shortfall(X[:, :3, 3], X[:, :3, :3])
    figure(f"reach bound of {name}: violations by 20,000 poses", (short > 1e-12).sum(), 0)
    far = np.linalg.norm(X[:, :3, 3] - bound.center, axis=1).max()
    assert far > 0.93 * bound.tool_length, "a loose bound would explain nothing"


@pytest.mark.parametrize("seed", range(10))
def test_random_arms(seed):
    model = random_chain(seed, 6, kinds=("revolute", "ball"))
    bound = reach_bound(model, model.tool)
    X = carpal.fk(model, random_configurations(model, 2000, seed=2))
    assert (bound.shortfall(X[:, :3, 3], X[:, :3, :3]) <= 1e-12).all()


def test_the_straight_arm_attains_it():
    model = carpal.load("srs7")
    bound = reach_bound(model, model.tool)
    assert bound.tool_length == pytest.approx(0.685, abs=1e-6)
    assert bound.wrist_length == pytest.approx(0.54, abs=1e-5)
    assert np.allclose(bound.center, (0, 0, 0.31), atol=1e-9)


def test_slides_lengthen_it_and_free_joints_have_none():
    from carpal.model import Body, Joint, Model

    slide = Model(
        "slide",
        (
            Body("a", None, Joint("turn", "revolute")),
            Body("b", "a", Joint("slide", "prismatic", q_min=-0.2, q_max=0.7)),
        ),
    )
    assert reach_bound(slide, "b").tool_length == pytest.approx(0.7)
    endless = Model(
        "endless", (Body("a", None, Joint("turn", "revolute")), Body("b", "a", Joint("slide", "prismatic")))
    )
    assert reach_bound(endless, "b") is None
    free = Model("free", (Body("a", None, Joint("free", "free")),))
    assert reach_bound(free, "a") is None
