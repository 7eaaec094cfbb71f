from __future__ import annotations

import subprocess
import sys

import pytest

from carpal.errors import ModelError
from carpal.model.readers import reading, urdf
from carpal.model.readers.reading import read_file, read_text

ROBOT = '<robot name="r"><link name="a"/></robot>'


def test_the_root_element_decides_not_the_name(tmp_path):
    (tmp_path / "robot.xml").write_text(ROBOT)
    m = read_file(tmp_path / "robot.xml")
    assert (m.name, m.source) == ("r", "URDF 'robot.xml'")


def test_other_roots_are_refused():
    with pytest.raises(
        ModelError, match=r"'x' has the root element <html>; <robot> \(URDF\) or <mujoco> \(MJCF\) was expected"
    ):
        read_text("<html/>", name="x")


def test_arguments_that_are_no_text():
    with pytest.raises(ModelError, match="got bytes"):
        read_text(b"<robot/>")
    with pytest.raises(ModelError, match="larger than 32 MB"):
        read_text("a" * 32_000_001)


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), TypeError("oops"), KeyError("x")])
def test_no_other_error_escapes(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(urdf, "read_urdf", fail)
    with pytest.raises(ModelError, match=r"'x' (needs more memory|is nested too deeply|is beyond this reader)"):
        reading.read_text(ROBOT, name="x")


def test_carpal_alone_does_not_import_mujoco():
    code = "import sys, carpal.model.readers.reading as r; r.read_text; sys.exit('mujoco' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
