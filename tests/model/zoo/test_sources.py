"""Names lead to files of a folder, of example-robot-data, or of packages that fetch; the model says whose it is."""

import sys
import types
import warnings

import numpy as np
import pytest

import carpal
from carpal.cli.command_line import main
from carpal.errors import InputError, ModelError, UnknownNameError
from carpal.model import zoo_names, zoo_table
from carpal.model.zoo import sources

HAND = """<mujoco model="hand"><worldbody><body name="palm"><geom size=".02" mass=".1"/>
<body name="finger" pos="0 0 .1"><joint name="j" axis="0 1 0" range="0 90"/><geom size=".01" mass=".01"/></body></body>
</worldbody></mujoco>"""
BSD2 = "Copyright (c) 2016\n\nRedistribution and use in source and\nbinary forms, with or without modification"


@pytest.fixture
def alone(monkeypatch):
    """No folder and none of the packages."""
    monkeypatch.delenv(sources.FOLDERS, raising=False)
    monkeypatch.setattr(sources, "_example_root", lambda: None)
    monkeypatch.setattr(sources, "_package", lambda name: None)


@pytest.fixture
def folder(monkeypatch, tmp_path, alone):
    (tmp_path / "wonik_allegro").mkdir()
    (tmp_path / "wonik_allegro" / "right_hand.xml").write_text(HAND)
    (tmp_path / "wonik_allegro" / "LICENSE").write_text(BSD2)
    monkeypatch.setenv(sources.FOLDERS, str(tmp_path))
    return tmp_path


def test_a_folder_of_menagerie(folder):
    hand = carpal.load("allegro", tool="palm")
    assert (hand.nq, hand.tool) == (1, "palm")
    assert hand.source == "MJCF 'right_hand.xml' of the folder 'wonik_allegro' of CARPAL_ZOO, licence BSD-2-Clause"
    row = next(row for row in zoo_table() if row["name"] == "allegro")
    assert (row["source"], row["installed"], row["licence"]) == ("CARPAL_ZOO", True, "BSD-2-Clause")
    with pytest.raises(InputError, match="options are for catalogue robots"):
        carpal.load("allegro", inertia="assumed")


def test_what_to_install_is_in_the_sentence(alone):
    with pytest.raises(ModelError, match=r"'panda' comes with example-robot-data or .*carpal\[zoo\].*CARPAL_ZOO"):
        carpal.load("panda")
    with pytest.raises(ModelError, match=r"source 'mujoco-menagerie' of robot 'x' is not installed; pip install"):
        carpal.load("mujoco-menagerie:x")
    with pytest.raises(UnknownNameError, match="did you mean 'panda'"):
        carpal.load("pandaa")
    assert not any(row["installed"] for row in zoo_table())


def test_example_robot_data(monkeypatch):
    if sources._example_root() is None:
        pytest.skip("example-robot-data is not installed")
    monkeypatch.delenv(sources.FOLDERS, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = carpal.load("panda")
        same = carpal.load("example-robot-data:panda")
        own = carpal.load("double_pendulum_simple")  # a name of the package's own
    assert (arm.nq, arm.tool) == (9, "panda_hand_tcp")
    assert arm.source.startswith("URDF 'panda.urdf' of example-robot-data ") and "Apache-2.0" in arm.source
    assert same.source == arm.source and own.nq == 2
    target = carpal.fk(arm, 0.9 * arm.q_min + 0.1 * arm.q_max)
    assert carpal.ik(arm, target)


def fetcher(monkeypatch, tmp_path, **modules):
    monkeypatch.setattr(sources, "_package", lambda name: modules.get(name.replace(".", "__")))


def test_menagerie_that_downloads(monkeypatch, tmp_path, alone):
    (tmp_path / "2f85.xml").write_text(HAND)
    robot = types.SimpleNamespace(
        path=lambda cache, progress: tmp_path, license="BSD-2-Clause", default_model="2f85",
        entry=lambda name: types.SimpleNamespace(file=f"{name}.xml"),
    )  # fmt: skip
    package = types.SimpleNamespace(names=lambda: ["robotiq_2f85"], get=lambda name: robot, __version__="1.0")
    fetcher(monkeypatch, tmp_path, mujoco_menagerie=package)
    for name in ("robotiq_2f85", "mujoco-menagerie:robotiq_2f85"):
        assert carpal.load(name).source == "MJCF '2f85.xml' of mujoco-menagerie 1.0, licence BSD-2-Clause"
    with pytest.raises(UnknownNameError, match="robot of mujoco-menagerie 'robotiq'; did you mean 'robotiq_2f85'"):
        carpal.load("mujoco-menagerie:robotiq")
    package.get = lambda name: types.SimpleNamespace(path=lambda *_: (_ for _ in ()).throw(OSError("no network")))
    with pytest.raises(ModelError, match=r"'robotiq_2f85' could not be fetched by mujoco-menagerie: no network\."):
        carpal.load("robotiq_2f85")


def test_robot_descriptions_that_clones(monkeypatch, tmp_path, alone):
    (tmp_path / "fetch.xml").write_text(HAND)
    about = types.SimpleNamespace(license_spdx="MIT")
    table = types.SimpleNamespace(DESCRIPTIONS={"fetch_description": about, "own_description": about})
    fetcher(monkeypatch, tmp_path, robot_descriptions=table, robot_descriptions___descriptions=table)
    monkeypatch.setattr(sources.importlib.metadata, "version", lambda name: "3.3")
    module = types.ModuleType("robot_descriptions.fetch_description")
    module.MJCF_PATH = str(tmp_path / "fetch.xml")
    for package in ("robot_descriptions", "robot_descriptions.fetch_description", "robot_descriptions.own_description"):
        monkeypatch.setitem(sys.modules, package, module)
    assert carpal.load("fetch").source == "MJCF 'fetch.xml' of robot_descriptions 3.3, licence MIT"
    assert carpal.load("own").nq == 1
    with pytest.raises(UnknownNameError, match="robot of robot_descriptions 'x'"):
        carpal.load("robot_descriptions:x")
    del module.MJCF_PATH
    with pytest.raises(ModelError, match="only there as xacro"):
        carpal.load("fetch")
    module.MJCF_PATH = str(tmp_path / "gone.xml")
    with pytest.raises(ModelError, match=r"lacks its file 'gone\.xml'"):
        carpal.load("fetch")


def test_the_command_line(folder, capsys):
    assert main(["robots", "--zoo"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"1 of {len(zoo_names())} robots")
    assert any(line.split() == ["allegro", "CARPAL_ZOO", "BSD-2-Clause", "yes"] for line in out.splitlines())
    assert main(["fk", "allegro", "--q", "0.5"]) == 0
    assert np.isfinite(len(capsys.readouterr().out))


def test_licences_by_their_words(tmp_path):
    inner = tmp_path / "robots" / "urdf"
    inner.mkdir(parents=True)
    assert sources.licence_of(inner, "none") == "none"
    (tmp_path / "robots" / "LICENSE.txt").write_text(BSD2 + " Neither the name of")
    assert sources.licence_of(inner, "none") == "BSD-3-Clause"
    (inner / "LICENSE").write_text("all rights reserved")
    assert sources.licence_of(inner, "none") == "see 'urdf/LICENSE'"
