import numpy as np
import pytest
from catch_inputs import Q_DROP, Q_START, engine, held, moved_digits, wanted

from carpal.labs.catch import catcher, catcher_engine, toggle_angles
from carpal.labs.catch.hand_geometry import FINGERS, finger_linkage, finger_pose
from carpal.labs.catch.task import Catch
from carpal.spatial import wxyz_from_rotation


def test_angles_are_the_linkages_transmission_angles():
    for closed, length in ((False, 0.027), (True, 0.010)):
        made = catcher(closed=closed)
        least = toggle_angles(made, catcher_engine(made).start().q).min(-1)
        for finger, angle in zip(FINGERS, least, strict=True):
            assert abs(angle - float(finger_linkage(finger).curve().transmission_angle(length))) < 1e-9


def test_a_finger_in_the_other_way_of_assembly_is_seen():
    """The middle phalanx mirrored through the line from the rod's root to the joint: the same bars, past the toggle."""
    made = catcher()
    q = catcher_engine(made).start().q.copy().reshape(-1, 7)
    assert (toggle_angles(made, q.ravel()) > 0.5).all()
    curve = finger_linkage("ring").curve()
    R, P, Q = (curve.place(point, 0.027) for point in ("ground.R", "proximal.P", "rod.Q"))
    u = (P - R) / np.linalg.norm(P - R)
    mirrored = R + 2 * u * (u @ (Q - R)) - (Q - R)
    X_WL = made.bodies[made.body_index("palm")].X_WB @ finger_pose("ring")

    def put(bar, origin, angle):
        c, s = np.cos(angle), np.sin(angle)
        row = q[made.body_index(f"ring/{bar}")]
        row[:3] = (X_WL @ [*origin, 0, 1])[:3]
        row[3:] = wxyz_from_rotation(X_WL[:3, :3] @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))

    before, after = Q - P, mirrored - P
    turn = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
    put("rod", R, np.arctan2(*(mirrored - R)[::-1]))
    put("middle", P, float(curve.angle("middle", 0.027)) + turn)
    seen = toggle_angles(made, q.ravel())
    assert seen[2, 1] < -0.5 and (np.delete(seen[..., 1].ravel(), 2) > 0.5).all()


@pytest.mark.parametrize("kind", ["step", "ramp", "kick"])
def test_no_digit_crosses_its_toggle_while_closing_or_opening(kind, figure):
    made = engine()
    closing = moved_digits(made, held()[-1], wanted(False), wanted(True), kind)
    figure(f"least toggle angle while closing by a {kind} [deg]", np.degrees(toggle_angles(made.mechanism, closing).min()), 15,
           at_least=True)  # fmt: skip
    for where, q in (("start pose", Q_START), ("drop pose", Q_DROP)):
        closed = catcher_engine(catcher(q, closed=True))
        state = closed.run(closed.start(), steps=5000, command=wanted(True, q)).state
        opening = moved_digits(closed, state, wanted(True, q), wanted(False, q), kind)
        angle = np.degrees(toggle_angles(closed.mechanism, opening).min())
        figure(f"least toggle angle while opening by a {kind}, {where} [deg]", angle, 15, at_least=True)


@pytest.mark.full
@pytest.mark.parametrize("as_thesis", [True, False])
def test_no_digit_crosses_its_toggle_on_the_whole_grid(as_thesis, figure):
    """Every millisecond of all 30 catches, kicked as in the thesis and by a ramp."""
    task = Catch(grid=True, gains="thesis", as_thesis=as_thesis)
    mechanism = task.compiled(1.0, 1.0).mechanism
    least = min(float(toggle_angles(mechanism, task.run(seed).recording.q).min()) for seed in range(30))
    how = "kick" if as_thesis else "ramp"
    figure(
        f"least toggle angle in 30 whole catches, digits closed by a {how} [deg]", np.degrees(least), 5, at_least=True
    )
