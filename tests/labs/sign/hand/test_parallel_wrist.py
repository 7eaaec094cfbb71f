"""The parallel wrist: round trips in every working mode, all assembly modes, singularities, against the closure equations."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.sign import ParallelWrist, wrist_angles, wrist_rotation
from carpal.spatial import rotation_about


def in_reach(count, seed):
    rng = np.random.default_rng(seed)
    return wrist_rotation(np.radians(rng.uniform(-1, 1, (count, 3)) * (40.0, 25.0, 40.0)))


def round_trip(count, seed):
    wrist, rng, worst, most = ParallelWrist(), np.random.default_rng(seed), 0.0, 0
    for R in in_reach(count, seed):
        mode = rng.choice([-1, 1], 3)
        back = wrist.forward(wrist.inverse(R, mode).motors)
        away = np.abs(back.R - R).max((1, 2))
        at = int(np.argmin(away))
        assert (back.modes[at] == mode).all()
        worst, most = max(worst, float(away[at])), max(most, len(back.R))
    return worst, most


def test_attitude_to_motors_and_back(figure):
    worst, most = round_trip(60, 0)
    figure("parallel wrist: round trip, every working mode", worst, 1e-9)
    assert most <= 8


@pytest.mark.full
def test_attitude_to_motors_and_back_2000_times(figure):
    worst, _ = round_trip(2000, 1)
    figure("parallel wrist: round trip, 2,000 attitudes in every working mode", worst, 1e-9)


def test_no_assembly_mode_is_missed(figure):
    """A dense search over all attitudes (a grid, then Newton) finds nothing that `forward` does not return."""
    wrist = ParallelWrist(
        first=np.radians(75), second=np.radians(85), motor_tilt=np.radians(60), palm_tilt=np.radians(60)
    )
    rng = np.random.default_rng(2)
    missed = 0
    for k in range(3):
        motors = wrist.inverse(in_reach(1, 10 + k)[0]).motors
        w, known = wrist.middle_axes(motors), wrist.forward(motors).R
        axes = rng.normal(size=(3000, 3))
        starts = rotation_about(axes / np.linalg.norm(axes, axis=1, keepdims=True), rng.uniform(0, np.pi, 3000))
        for R in starts[:400]:
            for _ in range(30):
                palm = wrist.v @ R.T
                miss = (w * palm).sum(-1) - np.cos(wrist.second)
                turn = np.linalg.lstsq(np.cross(palm, w), -miss, rcond=None)[0]
                size = np.linalg.norm(turn)
                if size < 1e-14:
                    break
                R = rotation_about(turn / size, min(size, 0.5)) @ R
            if np.abs(miss).max() < 1e-12:
                missed += np.abs(known - R).max((1, 2)).min() > 1e-6
    figure("parallel wrist: attitudes that 1,200 random starts of Newton find and the polynomial does not", missed, 0)


def test_the_whole_range_of_the_hand_is_far_from_singular(figure):
    grid = np.radians(
        [[f, d, t] for f in np.linspace(-40, 40, 9) for d in np.linspace(-25, 25, 7) for t in np.linspace(-40, 40, 9)]
    )
    found = ParallelWrist().inverse(wrist_rotation(grid))
    figure("parallel wrist: nearest leg to stretched over the hand's range", found.leg_margin.min(), 0.1, at_least=True)
    figure("parallel wrist: nearest palm to loose over the hand's range", found.palm_margin.min(), 0.1, at_least=True)


def test_singularities_are_reported():
    wrist = ParallelWrist()
    turned = wrist.inverse(wrist_rotation(np.outer(np.radians(np.linspace(0, 170, 1701)), (0.0, 0.0, 1.0))))
    assert not turned.ok.all()
    assert "beyond leg" in str(turned)
    last = int(np.argmin(turned.ok)) - 1
    assert turned.leg_margin[last] < 0.05 < turned.leg_margin[0]  # the margin went to zero before the reach ended
    # a loose palm: the jacobian's determinant is the derivative of the closure equations
    R = wrist_rotation(np.radians([10.0, 5.0, 20.0]))
    w, h = wrist.middle_axes(wrist.inverse(R).motors), 1e-6

    def closure(turn):
        return (w * (wrist.v @ (turn @ R).T)).sum(-1)

    rows = [(closure(rotation_about(axis, h)) - closure(rotation_about(axis, -h))) / (2 * h) for axis in np.eye(3)]
    A = np.array(rows).T
    assert abs(np.linalg.det(A)) / np.linalg.norm(A, axis=1).prod() == pytest.approx(
        float(wrist.inverse(R).palm_margin), rel=1e-6
    )


def test_attitude_of_the_own_mode():
    wrist = ParallelWrist()
    R = wrist_rotation(np.radians([12.0, -8.0, 25.0]))
    assert np.abs(wrist.attitude(wrist.inverse(R).motors) - R).max() < 1e-9
    assert np.abs(wrist_angles(R) - np.radians([12.0, -8.0, 25.0])).max() < 1e-14


def test_the_wrist_of_the_model_turns_as_its_angles_say():
    from carpal.kinematics import fk
    from carpal.model import load

    model = load("parloma_hand")
    q = np.array(model.q_home)
    q[:3] = 0.3, -0.2, 0.5
    assert np.abs(fk(model, q, "palm")[:3, :3] - wrist_rotation(q[:3])).max() < 1e-15


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ParallelWrist(first=4.0), "first of a wrist must be an angle between 0 and pi"),
        (lambda: ParallelWrist(mode=(1, 0, 1)), "mode of a wrist is three signs"),
        (lambda: ParallelWrist().inverse(2 * np.eye(3)), "R must be rotations"),
        (lambda: ParallelWrist().inverse(np.full((3, 3), np.nan)), "must be finite"),
        (lambda: ParallelWrist().forward([0.0, 1.0]), "motors needs shape"),
        (lambda: ParallelWrist().attitude([0.0, 2.0, 4.0]), "fit no attitude"),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()
