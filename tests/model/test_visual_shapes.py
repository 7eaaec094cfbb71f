import numpy as np

from carpal.model import Body, Joint, Model, model_from_dict, model_to_dict, visual_box, visual_hull, visual_rod

RED = (1.0, 0.0, 0.0, 1.0)


def test_rods_and_hulls_reach_from_end_to_end():
    rod = visual_rod("rod", "a", (1, 0, 0), (1, 0, 2), 0.1, RED)
    assert rod.shape.length == 2 and np.allclose(rod.X_BV[:3, 3], (1, 0, 1)) and np.allclose(np.abs(rod.X_BV[2, 2]), 1)
    hull = visual_hull("hull", None, [((0, 0, 0), 0.2), ((1, 0, 0), 0.1)], RED)
    low, high = hull.shape.points.min(0), hull.shape.points.max(0)
    assert np.allclose(low, (-0.2, -0.2, -0.2), atol=0.02) and np.allclose(high[0], 1.1, atol=0.01)


def test_they_are_kept_with_the_model():
    seen = (visual_box("box", "a", (1, 2, 3), (0, 0, 1), RED), visual_hull("hull", "a", [((0, 0, 0), 0.2)], RED))
    model = Model("m", (Body("a", None, Joint("j", "revolute")),), visuals=seen)
    back = model_from_dict(model_to_dict(model))
    assert [v.name for v in back.visuals] == ["box", "hull"]
    assert np.array_equal(back.visuals[1].shape.points, seen[1].shape.points)
