import numpy as np
import pytest

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import PosePath, arm_angle, arm_angle_band, elbow_position, random_configurations
from carpal.spatial import pose_from_xyz_rpy

SIA5, SAWYER = carpal.load("sia5"), carpal.load("sawyer")
Q = np.array([0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
X = carpal.fk(SIA5, Q)
# twenty centimetres aside, a little down, and a turn of 0.3 rad
LINE = PosePath.line(X, pose_from_xyz_rpy((-0.1, 0.15, -0.05)) @ X @ pose_from_xyz_rpy((0, 0, 0), (0, -0.3, 0)), 2.0)
SAWYER_Q = np.array([0.2, -0.6, 0.1, 1.2, 0.0, 0.5, 0.3])
SAWYER_LINE = PosePath.line(
    carpal.fk(SAWYER, SAWYER_Q), pose_from_xyz_rpy((0.0, 0.15, -0.1)) @ carpal.fk(SAWYER, SAWYER_Q), 2.0
)


def check(band, model, path, figure=None, name=""):
    """Everything that a finished band promises, with nothing but fk."""
    assert band, band.status
    t = np.linspace(path.time[0], path.time[-1], 401)
    q = band.at(t)
    off = np.abs(carpal.fk(model, q) - path.at(t)).max()
    outside = np.maximum(model.q_min - q, q - model.q_max).max()
    step = np.abs(np.diff(band.q, axis=0)).max()
    assert off < 1e-9 and outside <= 0 and step <= 0.15
    assert np.abs(np.diff(q, axis=0)).max() < 0.05  # no flip between samples either
    psi = np.unwrap(arm_angle(model, q))
    assert np.abs(np.diff(psi)).max() < 0.1
    assert (band.low <= band.psi).all() and (band.psi <= band.high).all()
    if figure is not None:
        figure(f"{name}: pose along the band, between samples too [m or 1]", off, 1e-9)
        figure(f"{name}: joints beyond their limits at 401 times [rad]", outside, 0.0)
        figure(f"{name}: largest joint step between samples [rad]", step, 0.15)


def test_a_path_along_a_line(figure):
    check(arm_angle_band(SIA5, LINE), SIA5, LINE, figure, "sia5, middle")


def test_a_path_along_a_line_of_an_arm_without_closed_form(figure):
    check(arm_angle_band(SAWYER, SAWYER_LINE), SAWYER, SAWYER_LINE, figure, "sawyer, middle")


def test_middle_keeps_farther_from_the_edges_and_speed_moves_less():
    middle, speed = (arm_angle_band(SIA5, LINE, prefer=prefer, q0=None) for prefer in ("middle", "speed"))
    check(speed, SIA5, LINE)
    share = middle.margin / (0.5 * (middle.high - middle.low))
    assert share.mean() > 0.9 and share.min() > 0.3  # 1 is the very middle; the edges themselves may jump

    def effort(band):
        return float(((np.diff(band.q, axis=0) / SIA5.v_max) ** 2).sum(1) @ (1 / np.diff(band.time)))

    assert effort(speed) < effort(middle)


def test_a_given_start_is_where_it_begins():
    band = arm_angle_band(SIA5, LINE, q0=Q, prefer="speed")
    check(band, SIA5, LINE)
    assert np.abs(band.q[0] - Q).max() < 1e-9
    assert abs(band.psi[0] - float(arm_angle(SIA5, Q))) < 1e-9


def test_the_elbow_stays_above_a_height():
    free = arm_angle_band(SIA5, LINE, prefer="speed")
    top = min(float(cut.height[(cut.margin >= 0).all(1)].max()) for cut in free.slices)
    height = 0.5 * (top + float(elbow_position(SIA5, free.q)[:, 2].min()))
    high = arm_angle_band(SIA5, LINE, prefer="speed", elbow_above=height)
    check(high, SIA5, LINE)
    assert elbow_position(SIA5, high.q)[:, 2].min() >= height


def test_same_input_same_bits():
    a, b = (arm_angle_band(SIA5, LINE) for _ in range(2))
    assert (a.q == b.q).all() and a.status == b.status


def test_a_broken_band_keeps_what_it_has():
    Y = X.copy()
    Y[:3, 3] += (0.6, 0, 0)
    band = arm_angle_band(SIA5, PosePath.line(X, Y))
    assert not band and band.broken is not None
    assert len(band.psi) == len(band.q) == len(band.time) < len(band.path.time)
    with pytest.raises(InputError, match="the path is known from"):
        band.at(0.9)
    far = PosePath.of([pose_from_xyz_rpy((3, 0, 0)), pose_from_xyz_rpy((3, 0.01, 0))])
    none = arm_angle_band(SIA5, far)
    assert not none and len(none.psi) == 0
    assert none.status.startswith("no path even at the start of the path: no configuration reaches the pose")


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"prefer": "midle"}, UnknownNameError, "did you mean 'middle'"),
        ({"clearance": -1}, InputError, "clearance must be a number between 0 and 1 rad"),
        ({"max_step": 2.0}, InputError, "max_step must be a number between 0 and 1 rad"),
        ({"elbow_above": np.nan}, InputError, "elbow_above must be a finite height"),
        ({"q0": np.zeros(6)}, InputError, "q0 of model 'sia5' needs 7 finite numbers"),
    ],
)
def test_bad_input(options, error, sentence):
    with pytest.raises(error, match=sentence):
        arm_angle_band(SIA5, LINE, **options)
    if "prefer" in options:
        with pytest.raises(InputError, match="needs seven revolute joints"):
            arm_angle_band(carpal.load("k10"), LINE)


@pytest.mark.full
@pytest.mark.parametrize(("name", "count"), [("sia5", 60), ("sawyer", 4)])
def test_random_lines(name, count, figure):
    """Lines between random poses near each other: each is done, and all is as promised, or the break is real."""
    model = carpal.load(name)
    rng = np.random.default_rng(5)
    done = 0
    for q in random_configurations(model, count, seed=51):
        A = carpal.fk(model, q)
        B = carpal.fk(model, np.clip(q + rng.uniform(-0.25, 0.25, 7), model.q_min, model.q_max))
        path = PosePath.line(A, B, 2.0)
        band = arm_angle_band(model, path)
        if band:
            check(band, model, path)
            done += 1
        else:
            assert band.broken is not None
            assert band.broken.cause in ("limit", "reach", "turn", "jump")
    figure(f"{name}: share of {count} random lines with an unbroken band", done / count, 0.5, at_least=True)
