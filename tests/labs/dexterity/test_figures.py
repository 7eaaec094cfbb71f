"""Figures: ZYZ angles give the rotation back, also at beta = 0; curves and sections of made-up runs."""

import numpy as np
from dexterity_inputs import made_up, setting_of, touch

from carpal.labs.dexterity.example_file import Observe
from carpal.labs.dexterity.figures import report_sections, run_curves, zyz_angles
from carpal.labs.dexterity.observations import Observation
from carpal.spatial import rotation_about, wxyz_from_rotation


def back(angles):
    return np.array(
        [
            rotation_about((0, 0, 1), a) @ rotation_about((0, 1, 0), b) @ rotation_about((0, 0, 1), c)
            for a, b, c in angles
        ]
    )


def test_zyz_there_and_back(figure):
    rng = np.random.default_rng(0)
    R = back(rng.uniform([-3, 0.01, -3], [3, 3.13, 3], (50, 3)))
    figure("ZYZ angles there and back", np.abs(back(zyz_angles(R)) - R).max(), 1e-12)
    beta = np.linspace(0, 1, 20)
    R = back(np.column_stack([0 * beta, beta, 0 * beta]))
    assert np.allclose(zyz_angles(R)[:, 1], beta)
    spin = back(np.column_stack([np.linspace(0, 6, 30), np.zeros(30), np.zeros(30)]))
    figure("ZYZ angles at beta = 0", np.abs(back(zyz_angles(spin)) - spin).max(), 1e-12)
    flipped = back(np.column_stack([np.linspace(0, 2, 9), np.full(9, np.pi), np.zeros(9)]))
    figure("ZYZ angles at beta = 180 deg", np.abs(back(zyz_angles(flipped)) - flipped).max(), 1e-6)


def test_curves_and_sections():
    setting = setting_of(3)
    q = np.tile(setting.start().q, (21, 1))
    q[:, 15] += np.linspace(0, 0.01, 21)
    outcome = made_up(setting, q, contacts=[(touch("middle", "sliding", (0, 0, 1.0), q[0, 15:18], (0, 0, 1.0)),)] * 21)
    curves = {c.key: c for c in run_curves(outcome)}
    for key in ("q_middle", "v_middle", "place", "zyz", "v_o", "w_o", "zyz_rates", "f_middle", "c_middle", "modes"):
        assert key in curves
        assert curves[key].values.shape == (21, len(curves[key].names))
    assert "q_index" not in curves  # neither moves nor touches
    assert curves["modes"].values[0].tolist() == [0, 0, 3, 0, 0]
    assert abs(curves["c_middle"].values[-1, 2] + 10.0) < 1e-6  # the contact went back on a box that went on
    seen = Observation(Observe("a", "turned", what="w", at_most=3.0, published="t"), 1.0)
    sections = report_sections(outcome, [seen])
    assert [s.title for s in sections] == ["Observations", "Published figures", "Grasp", "Changes of contact"]
    assert sections[0].rows == [("a", "w", "t", "1", "at most 3", "yes")]
    assert len(sections[0].stills) == 3


def test_coordinates_of_a_box_that_rolls(figure):
    """A box that rolls about a tip which stands: tip and object coordinates grow alike, arc by arc."""
    setting = setting_of(3, object__position=[0.0, 0.0125, 0.245], fingers__middle__touch=[0.0, -0.0005, -0.015])
    start = setting.start().q
    q = np.tile(start, (41, 1))
    centre = np.array([0.0, 0.012, 0.22])  # of the tip
    for k, angle in enumerate(np.linspace(0, 0.5, 41)):
        R = rotation_about((0, 1, 0), angle)
        # without slip the contact goes back by r angle along the box while its face tilts about the tip's centre
        q[k, 15:18] = centre + R @ (np.array([0.01 * angle * -1.0, 0.0005, 0.025]))
        q[k, 18:22] = wxyz_from_rotation(R)
    outcome = made_up(setting, q, contacts=[(touch("middle", "rolling", (0, 0, 1.0), (0, 0, 0), (0, 0, 1.0)),)] * 41)
    curve = next(c for c in run_curves(outcome) if c.key == "c_middle")
    assert curve.names == ("tip x", "tip y", "object x", "object y")
    figure(
        "coordinates of a rolling contact, tip against object [mm]",
        np.abs(curve.values[:, 0] - curve.values[:, 2]).max(),
        1e-6,
    )
    assert abs(curve.values[-1, 2] - 5.0) < 1e-6
    assert np.abs(curve.values[:, [1, 3]]).max() < 1e-6
