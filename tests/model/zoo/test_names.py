"""The table of names is consistent, and names what the packages have."""

import pytest

import carpal
from carpal.model.zoo.names import ZOO
from carpal.model.zoo.sources import _example_root

KNOWN = (
    "panda",
    "ur5e",
    "ur5",
    "iiwa14",
    "xarm7",
    "allegro",
    "leap_hand",
    "shadow_hand",
    "robotiq_2f85",
    "fetch",
    "talos",
)


def test_names_people_know_are_there_and_hide_no_robot_of_the_catalogue():
    assert set(KNOWN) <= set(ZOO)
    assert not set(ZOO) & set(carpal.robots())
    for name, entry in ZOO.items():
        assert entry.menagerie or entry.example_robot_data or entry.robot_descriptions, name
        assert not entry.menagerie or (entry.menagerie.count("/") == 1 and entry.menagerie.endswith(".xml")), name
        assert not entry.example_robot_data or entry.example_robot_data.endswith(".urdf"), name


def test_every_file_of_example_robot_data_is_there():
    root = _example_root()
    if root is None:
        pytest.skip("example-robot-data is not installed")
    assert [
        name for name, e in ZOO.items() if e.example_robot_data and not (root / e.example_robot_data).is_file()
    ] == []


def test_menagerie_has_every_folder_file_and_licence():
    menagerie = pytest.importorskip("mujoco_menagerie")
    for name, entry in ZOO.items():
        if entry.menagerie:
            folder, file = entry.menagerie.split("/")
            robot = menagerie.get(folder)
            assert file in [point.file for point in robot.entry_points], name
            assert robot.license == entry.licence, name


def test_robot_descriptions_has_every_module():
    about = pytest.importorskip("robot_descriptions._descriptions").DESCRIPTIONS
    assert [n for n, e in ZOO.items() if e.robot_descriptions and e.robot_descriptions not in about] == []
