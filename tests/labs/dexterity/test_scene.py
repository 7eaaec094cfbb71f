"""Settings: tips touch where the example asks, presses carry the object within the cones, targets go as the moves say."""

import numpy as np
import pytest
from dexterity_inputs import setting_of

from carpal.contact import Grasp, grasp_matrix, shape_distance
from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.labs.dexterity import changed, make_setting, read_example
from carpal.labs.dexterity.robot import TIP_RADIUS
from carpal.labs.dexterity.scene import ASIDE, touching_fingers
from carpal.model import Sphere


@pytest.mark.parametrize("number", range(1, 11))
def test_tips_touch_and_nothing_overlaps(number, figure):
    setting = setting_of(number)
    model, state = setting.scene.build(), setting.start()
    X_WO = fk(model, state.q, "object")
    touching = touching_fingers(setting.example)
    for finger in ("thumb", "index", "middle", "ring", "little"):
        X = fk(model, state.q, f"hand/{finger}_tip")
        gap = float(shape_distance(Sphere(TIP_RADIUS), X, setting.example.shape, X_WO).distance)
        if finger in touching:
            figure("gap of a tip that shall touch", abs(gap), 1e-10)
        else:
            assert gap > 1e-3
    assert ((state.q[:15] >= setting.hand.q_min - 1e-12) & (state.q[:15] <= setting.hand.q_max + 1e-12)).all()


@pytest.mark.parametrize("number", [1, 2, 8])
def test_presses_carry_the_object_within_the_cones(number, figure):
    setting = setting_of(number)
    example, state = setting.example, setting.start()
    model = setting.scene.build()
    X_WO = fk(model, state.q, "object")
    points, normals, forces = [], [], []
    for finger, force in setting.presses.items():
        points.append(X_WO[:3, :3] @ example.fingers[finger].touch + X_WO[:3, 3])
        found = shape_distance(Sphere(TIP_RADIUS), fk(model, state.q, f"hand/{finger}_tip"), example.shape, X_WO)
        normals.append(found.n_AB_W)
        forces.append(force)
        n = float(force @ found.n_AB_W)
        assert n > 0
        assert np.linalg.norm(force - n * found.n_AB_W) <= 0.9 * example.friction * n + 1e-9
    grasp = Grasp(points, normals, mu=example.friction, centre=example.position)
    f = np.concatenate([R.T @ force for R, force in zip(grasp.R_WC, forces, strict=True)])
    weight = np.array([0, 0, -example.mass * example.gravity, 0, 0, 0])
    figure("presses against the weight [N, N m]", np.abs(grasp_matrix(grasp) @ f + weight).max(), 1e-9)


def test_targets_go_as_the_moves_say():
    example = changed(
        read_example(9),
        {
            "move": [
                {"fingers": ["index"], "time": 0.1, "over": 0.2, "by": [0, 10, 0]},
                {"fingers": ["index"], "time": 0.4, "over": 0.1, "to": [0, 0, 5]},
                {"fingers": ["ring"], "time": 0.2, "by": [1, 0, 0]},
            ]
        },
    )
    setting = make_setting(example)
    start = np.degrees(ASIDE)

    def index(t):
        where, rate = setting.target(t)
        return np.degrees(where[3:6]), np.degrees(rate[3:6])

    assert np.allclose(index(0.0)[0], start)
    assert np.allclose(index(0.2)[0], np.add(start, [0, 5, 0]))
    assert np.allclose(index(0.2)[1], [0, 50, 0])
    assert np.allclose(index(0.35)[0], np.add(start, [0, 10, 0]))
    assert np.allclose(index(0.9)[0], [0, 0, 5])
    assert np.allclose(index(0.9)[1], 0)
    before, after = setting.target(0.1999)[0][9], setting.target(0.2)[0][9]
    assert abs(np.degrees(after - before) - 1.0) < 1e-9


def test_a_touch_off_the_surface_is_refused():
    with pytest.raises(CarpalError, match="off the object's surface"):
        setting_of(2, fingers__thumb__touch=[0.02, 0, 0])
    with pytest.raises(CarpalError, match="does not reach"):
        setting_of(2, object__position=[0.5, 0, 0.2])


def test_a_table_carries_what_stands_on_it():
    setting = setting_of(10)
    assert abs(sum(force[2] for force in setting.presses.values())) < 1e-9
    assert [thing.name for thing in setting.scene.fixed] == ["table"]
