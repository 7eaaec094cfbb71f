import tomllib

import numpy as np
import pytest
from scipy.optimize import fsolve

from carpal.labs.catch import hand_geometry as hand

FILES = {"index": "finger.toml", "little": "little_finger.toml"}


def independent_angles(finger, lengths):
    """Bent angles (n, 3) [rad] of a finger from its file alone: loop closure by scipy, followed from the open finger."""
    data = tomllib.loads((hand.DATA / FILES[finger]).read_text())
    bars = {bar["name"]: {k: np.array(v, float) for k, v in bar["points"].items()} for bar in data["bar"]}
    ground, proximal, middle, distal = (bars[name] for name in ("ground", "proximal", "middle", "distal"))
    rods = bars["rod"]["Q"][0], bars["rod2"]["Q2"][0]

    def place(angle, p):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])

    def open_by(x, length):
        a, b, c = x
        P = place(a, proximal["P"])
        D = P + place(b, middle["D"])
        return [
            np.linalg.norm(place(a, proximal["L"]) - ground["M"]) - length,
            np.linalg.norm(P + place(b, middle["Q"]) - ground["R"]) - rods[0],
            np.linalg.norm(D + place(c, distal["Q2"]) - place(a, proximal["R2"])) - rods[1],
        ]

    x, rows = np.radians([15.0, 25.0, 30.0]), []
    for length in lengths:
        x = fsolve(open_by, x, args=(length,), xtol=1e-13)
        rows.append(x)
    return np.diff(rows, axis=1, prepend=0.0)


@pytest.mark.parametrize("finger", ["index", "little"])
def test_fingers_bend_as_wanted_by_a_solver_of_its_own(finger, figure):
    lengths = np.linspace(hand.FINGER_OPEN, hand.FINGER_CLOSED, 120)
    bent = np.degrees(independent_angles(finger, lengths))
    assert abs(bent[0, 0] - 15) < 0.1 and abs(bent[-1, 0] - 86) < 0.1
    figure(
        f"{finger}: middle joint off 10 + 1.2 (th1 - 15) deg",
        np.abs(bent[:, 1] - 10 - 1.2 * (bent[:, 0] - 15)).max(),
        0.8,
    )
    figure(
        f"{finger}: distal joint off 5 + 0.8 (th1 - 15) deg",
        np.abs(bent[:, 2] - 5 - 0.8 * (bent[:, 0] - 15)).max(),
        0.8,
    )
    curve = hand.finger_linkage(finger).curve()
    ours = np.diff([curve.angle(bar, lengths) for bar in ("proximal", "middle", "distal")], axis=0, prepend=0.0).T
    assert np.abs(ours - np.radians(bent)).max() < 1e-9


@pytest.mark.parametrize("finger", ["index", "little"])
def test_toggles_are_far_from_the_stroke(finger, figure):
    curve = hand.finger_linkage(finger).curve()
    for what, margin in zip(("open", "closed"), curve.margins, strict=True):
        figure(f"{finger}: actuator from the toggle beyond {what} [mm]", 1000 * margin, 4.0, at_least=True)
    lengths = np.linspace(hand.FINGER_OPEN, hand.FINGER_CLOSED, 50)
    assert np.degrees(curve.transmission_angle(lengths)).min() > 35


def test_size_and_masses_of_the_table():
    linkage = hand.finger_linkage("middle")
    length = sum(linkage.bars[linkage.index[bar]].points[end][0] for bar, end in
                 (("proximal", "P"), ("middle", "D"), ("distal", "T")))  # fmt: skip
    tip = hand.KNUCKLES["middle"][0] + length + linkage.bars[linkage.index["distal"]].radius
    assert abs(0.095 + tip - 0.210) < 1e-12  # from the wrist's axis, 95 mm behind the hand frame
    (_, (_, breadth, _)) = hand.PALM_BOX
    assert breadth == 0.093
    for finger in hand.FINGERS:
        bars = hand.finger_linkage(finger).bars[1:]
        assert (
            abs(sum(hand.phalanx_inertia(hand.finger_linkage(finger), bar.name).mass for bar in bars) - 0.075) < 1e-15
        )
        assert abs(hand.KNUCKLES[finger][1]) + bars[0].radius <= breadth / 2
    assert abs(hand.thumb_inertia().mass - 0.068) < 1e-15 and hand.palm_inertia((0, 0, 0)).mass == 0.4


def test_everything_outside_touches_and_nothing_inside_does():
    shapes = [*hand.palm_shapes("palm"), *hand.thumb_shapes("thumb")]
    for bar in ("proximal", "middle", "distal", "rod", "rod2"):
        shapes += hand.phalanx_shapes(hand.finger_linkage("ring"), bar, f"ring/{bar}")
    touching = {shape.name for shape in shapes if shape.collides}
    assert touching == {
        "palm",
        "heel",
        "thumb_rim",
        "little_rim",
        "thumb_1",
        "thumb_2",
        "ring/proximal",
        "ring/middle",
        "ring/distal",
    }


def test_tails_and_rods_stay_inside_the_palm():
    """Pins on the palm and the tail's end lie between its two faces over the whole stroke; roots are bosses 1 mm high."""
    for finger in hand.FINGERS:
        curve = hand.finger_linkage(finger).curve()
        X = hand.finger_pose(finger)
        for place in ("ground.M", "ground.R", "proximal.L"):
            flat = curve.place(place, np.linspace(hand.FINGER_OPEN, hand.FINGER_CLOSED, 30))
            z = hand.KNUCKLES[finger][2] + flat[:, 1]
            assert (z <= 1.1e-3).all() and (z >= -0.024 - 1e-12).all(), (finger, place)
        assert np.allclose(X[:3, :3] @ [0, 0, 1], [0, -1, 0]) and abs(np.linalg.det(X[:3, :3]) - 1) < 1e-12


def test_thumb_swings_up_and_away_when_it_opens():
    tip = np.array([*(np.array(hand.THUMB_TIP) - hand.THUMB_BASE), 1.0])
    closed, opened = ((hand.thumb_pose(a) @ tip)[:3] for a in (hand.THUMB_CLOSED, hand.THUMB_OPEN))
    assert np.allclose(closed, hand.THUMB_TIP)
    assert opened[2] > closed[2] and opened[1] < closed[1] and abs(opened[0] - closed[0]) < 1e-12
