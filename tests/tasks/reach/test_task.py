"""The arm comes to the point, by both engines, and says so when it does not."""

import numpy as np
import pytest

import carpal
from carpal.errors import CarpalError, InputError
from carpal.tasks import make_task
from carpal.tasks.reach.task import largest_known, share_of_limit

ARMS = [
    {},
    {"robot": "sia5", "inertia": "assumed"},
    {"robot": "srs7", "inertia": "assumed"},
    {"robot": "catcher_arm", "target": (0.4, -0.2, 0.1)},
    {"robot": "so101_old", "target": (0.1, -0.25, 0.2)},
]


def test_the_tool_is_where_it_was_asked_to_be(figure):
    task = make_task("reach", target=(0.6, -0.1, 0.3))
    result = task.run(seed=1)
    assert result, result.status
    arm = carpal.load("sawyer")
    p = carpal.fk(arm, result.recording.q[-1])[:3, 3]
    figure("reach: tool to target at the end [m]", np.linalg.norm(p - [0.6, -0.1, 0.3]), 1e-3)
    assert result.score.numbers["position_error_m"] == pytest.approx(np.linalg.norm(p - [0.6, -0.1, 0.3]), abs=1e-12)
    figure("reach: energy ledger residual [J]", np.abs(result.recording.energy["residual"]).max(), 1e-9)
    assert (np.abs(result.recording.u) <= arm.tau_max).all()


def test_rigid_and_mujoco_agree(figure):
    a, b = (make_task("reach", engine=engine, duration=2.5).run(seed=2) for engine in ("rigid", "mujoco"))
    figure("reach: rigid against mujoco, q [rad]", np.abs(a.recording.q - b.recording.q).max(), 1e-9)
    assert a.recording.metadata["engine"] == "rigid" and b.recording.metadata["engine"] == "mujoco"


@pytest.mark.parametrize("options", ARMS, ids=lambda options: options.get("robot", "sawyer"))
def test_every_arm_with_masses_reaches(options):
    for score in make_task("reach", **options).score_seeds([0, 5]):
        assert score, score.status
        assert score.numbers["energy_residual_J"] < 1e-9


def test_the_start_is_drawn_with_the_seed_and_inside_the_limits():
    task = make_task("reach", spread=3.0)
    starts = [task.reset(np.random.default_rng(seed)).q for seed in (0, 0, 1)]
    assert np.array_equal(starts[0], starts[1]) and not np.array_equal(starts[0], starts[2])
    assert ((starts[2] >= task.model.q_min) & (starts[2] <= task.model.q_max)).all()
    still = make_task("reach", spread=0.0).reset(np.random.default_rng(7))
    assert np.array_equal(still.q, task.model.q_home)


def test_a_miss_is_a_sentence():
    result = make_task("reach", duration=0.3).run()
    assert not result
    assert result.score.numbers["effort_share"] == 1.0  # in a hurry, and still not stronger than the motors
    assert result.status.startswith("missed (0.5, 0.2, 0.4) m by ") and "longer duration" in result.status
    assert np.isnan(result.score.numbers["settling_time_s"])


def test_too_fast_for_the_joints_is_not_done():
    slow = make_task("reach", robot="k10", inertia="assumed").score_seeds([0])[0]
    assert not slow and "times its largest speed" in slow.status and slow.numbers["speed_share"] > 1


def test_settling_is_the_last_time_it_came_near():
    task = make_task("reach")
    near, far = task.goal, task.model.q_home
    q = np.array([near, far, near, near])
    rest = np.zeros((4, task.model.nv))
    score = task._score(np.arange(4.0), q, rest, rest, np.zeros(4))
    assert score and score.numbers["settling_time_s"] == 2.0
    assert np.isnan(task._score(np.arange(2.0), q[:2], rest, rest, np.zeros(2)).numbers["settling_time_s"])
    assert task._score(np.arange(2.0), q[2:], rest, rest, np.zeros(2)).numbers["settling_time_s"] == 0.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"robot": "swyer"}, "unknown robot 'swyer'; did you mean 'sawyer'?"),
        ({"target": (3, 0, 0)}, "the target (3, 0, 0) m is not reachable: out of reach by 1.89 m for certain"),
        ({"robot": "k10"}, "no masses are published for robot 'k10', so forces cannot move it"),
        ({"dt": 5.0}, "dt must not be longer than the duration 3 s; got 5."),
        ({"robot": "no/such.urdf"}, "no file 'no/such.urdf'"),
    ],
)
def test_what_cannot_work_is_reported_before_it_starts(options, sentence):
    with pytest.raises(CarpalError) as caught:
        make_task("reach", **options).check()
    assert str(caught.value).startswith(sentence)


def test_joints_that_cannot_follow_a_straight_line(tmp_path):
    (tmp_path / "ball.xml").write_text(
        '<mujoco><worldbody><body name="b"><joint name="neck" type="ball"/>'
        '<geom type="sphere" size=".1" pos="0 0 1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(InputError, match=r"neck' of .* is a ball joint"):
        make_task("reach", robot=str(tmp_path / "ball.xml")).check()


def test_a_robot_of_ones_own(tmp_path):
    (tmp_path / "so101_old.xml").write_text(carpal.load("so101_old").to_mjcf())
    result = make_task("reach", robot=str(tmp_path / "so101_old.xml"), target=(0.1, -0.25, 0.2), duration=2.0).run()
    assert len(result.recording) == 2001


def two_links(tmp_path, effort: str = "", more: str = ""):
    """An upright arm of two links with the tool at 0.5 m."""
    path = tmp_path / "arm.xml"
    path.write_text(
        '<mujoco><compiler angle="radian"/><worldbody><body name="upper">'
        f'<joint name="shoulder" axis="0 1 0" {effort}/><joint name="pan" axis="0 0 1" {effort}/>'
        '<inertial mass="1" pos="0.15 0 0" diaginertia="0.01 0.01 0.01"/>'
        f'<body name="lower" pos="0.3 0 0"><joint name="elbow" axis="0 1 0" {effort}/>'
        '<inertial mass="1" pos="0.1 0 0" diaginertia="0.01 0.01 0.01"/>'
        f'<body name="tool" pos="0.2 0 0"/></body></body>{more}</worldbody></mujoco>'
    )
    return str(path)


def test_limits_that_nobody_states_are_unknown_and_not_zero(tmp_path):
    result = make_task("reach", robot=two_links(tmp_path), target=(0.35, 0.0, 0.1), duration=2.0).run()
    assert result, result.status
    assert np.isnan(result.score.numbers["speed_share"]) and np.isnan(result.score.numbers["effort_share"])
    assert result.to_dict()["numbers"]["effort_share"] is None
    shares = share_of_limit(np.array([[1.0, -3.0, 0.0]]), np.array([2.0, np.inf, 0.0]))
    assert shares[0] == 0.5 and np.isnan(shares[1]) and shares[2] == 0.0 and largest_known(shares) == 0.5


def test_an_arm_too_weak_to_hold_itself_is_not_advised_to_take_longer(tmp_path):
    weak = 'actuatorfrcrange="-2 2" actuatorfrclimited="true"'
    result = make_task("reach", robot=two_links(tmp_path, weak), target=(0.35, 0.0, 0.1), duration=2.0).run()
    assert not result
    assert "needs" in result.status and "to hold the arm there" in result.status and "longer" not in result.status


def test_an_arm_that_rests_on_something_is_not_advised_to_take_longer(tmp_path):
    path = two_links(tmp_path)
    text = (tmp_path / "arm.xml").read_text()
    text = text.replace(
        '<body name="tool" pos="0.2 0 0"/>', '<body name="tool" pos="0.2 0 0"><geom size="0.02"/></body>'
    )
    (tmp_path / "arm.xml").write_text(
        text.replace("</worldbody>", '<geom type="box" size="1 1 0.05" pos="0 0 -0.17"/></worldbody>')
    )
    result = make_task("reach", robot=path, target=(0.35, 0.0, -0.18), duration=2.0, spread=0.0, engine="mujoco").run()
    assert not result
    assert "it comes no nearer, because" in result.status and "touch" in result.status, result.status
    assert "longer" not in result.status
