from pathlib import Path

import pytest

import carpal
from carpal.errors import CarpalError, InputError, ModelError, UnknownNameError

URDF = (
    '<robot name="two"><link name="a"/><link name="b"/>'
    '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
)


def test_names_and_paths(tmp_path):
    file = tmp_path / "two.urdf"
    file.write_text(URDF)
    assert carpal.load("sawyer").name == "sawyer"
    for given in (file, str(file)):
        assert carpal.load(given).joint_names == ("j",)
        assert carpal.load(given, untrusted=True).joint_names == ("j",)


def test_a_folder_named_like_a_robot_does_not_hide_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sawyer").mkdir()
    assert carpal.load("sawyer").nq == 7


@pytest.mark.parametrize(
    ("given", "options", "error", "sentence"),
    [
        ("sawyerr", {}, UnknownNameError, "did you mean 'sawyer'"),
        ("missing.urdf", {}, ModelError, "no file 'missing.urdf'"),
        ("some/where", {}, ModelError, "no file 'some/where'"),
        (7, {}, InputError, "takes a robot's name or a path; got int 7"),
        (None, {}, InputError, "got NoneType"),
        ("sawyer", {"colour": "red"}, UnknownNameError, "unknown option of robot 'sawyer' 'colour'"),
    ],
)
def test_wrong_names(given, options, error, sentence):
    with pytest.raises(error, match=sentence):
        carpal.load(given, **options)


def test_files_take_no_options_and_need_their_ending(tmp_path):
    file = tmp_path / "two.urdf"
    file.write_text(URDF)
    with pytest.raises(InputError, match="options are for catalogue robots"):
        carpal.load(file, inertia="assumed")
    other = tmp_path / "two.txt"
    other.write_text(URDF)
    with pytest.raises(ModelError, match=r"must end in \.urdf, \.xacro, \.xml or \.mjcf"):
        carpal.load(other)
    with pytest.raises(CarpalError):
        carpal.load(tmp_path)


def test_another_tool(tmp_path):
    assert carpal.load("sawyer", tool="l5").tool == "l5"
    file = tmp_path / "arm.xml"
    file.write_text(carpal.load("sawyer").to_mjcf())
    assert carpal.load(file, tool="l4", untrusted=True).tool == "l4"
    with pytest.raises(UnknownNameError, match=r"tool frame of model 'sawyer' 'hand'; .*base, l0, head"):
        carpal.load(file, tool="hand")
    scene = carpal.Scene().add_robot("sawyer", name="a", tool="l5")
    assert scene.build().tool == "a/l5" == carpal.Scene.from_toml(scene.to_toml()).build().tool
