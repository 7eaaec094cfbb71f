import pytest

import carpal
from carpal.errors import UnknownNameError
from carpal.kinematics import redundancy
from carpal.spatial import pose


@pytest.mark.parametrize(
    ("name", "task", "case", "ok", "spare"),
    [
        ("catcher_arm", "pose", 1, True, 0),
        ("k10", "pointing", 1, True, 0),
        ("so101_old", "pointing", 1, True, 0),
        ("catcher_arm", "position", 2, True, 3),
        ("k10", "pose", 3, False, 0),
        ("sawyer", "pose", 4, True, 1),
        ("srs7", "pose", 4, True, 1),
        ("sawyer", "position", 0, True, 4),
    ],
)
def test_cases_of_redundancy(name, task, case, ok, spare):
    answer = redundancy(carpal.load(name), task)
    assert (answer.case, answer.ok, answer.spare) == (case, ok, spare)
    assert bool(answer) is ok
    assert str(answer).startswith(f"{name} is ")


def test_a_planar_arm_lacks_freedoms_although_it_has_joints_enough():
    planar = carpal.Model.from_dh([carpal.model.DHRow(a=0.2, name=f"j{i}") for i in range(4)])
    answer = redundancy(planar, "position")
    assert (answer.n, answer.tool, answer.task, answer.available, answer.case) == (4, 3, 3, 2, 4)
    assert answer.spare == 2 and not answer
    assert "it asks for 3 freedoms and gets 2 (n = 4, n' = 3), 2 freedoms spare." in answer.status


def test_unknown_task():
    with pytest.raises(UnknownNameError, match="did you mean 'pose'"):
        redundancy(carpal.load("sawyer"), "poses")


def test_joints_beside_the_chain_do_not_count():
    joints = [carpal.model.Joint(f"j{i}", "revolute", X_PJ=pose(p=[0.3, 0, 0])) for i in range(3)]
    bodies = [carpal.model.Body(*row) for row in zip("abc", (None, "a", "a"), joints, strict=True)]
    answer = redundancy(carpal.Model("fork", bodies), "position", frame="b")
    assert (answer.n, answer.tool, answer.available) == (2, 2, 1)  # b lies on its own axis
