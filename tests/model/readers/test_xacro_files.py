"""xacro files are expanded and read; also in the capped child process."""

import builtins

import pytest

import carpal
from carpal.errors import ModelError
from carpal.model.readers.xacro_files import urdf_of_xacro

XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="2"/>
<xacro:macro name="part" params="i"><link name="l${i}"/><joint name="j${i}" type="continuous"><parent link="l${i-1}"/>
<child link="l${i}"/><origin xyz="${0.1*i} 0 0"/></joint></xacro:macro><link name="l0"/>
<xacro:part i="1"/><xacro:part i="${n}"/></robot>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "arm.xacro"
    path.write_text(XACRO)
    return path


@pytest.mark.parametrize("untrusted", [False, True])
def test_macros_and_expressions(file, untrusted):
    pytest.importorskip("xacrodoc")
    model = carpal.load(file, untrusted=untrusted)
    assert model.joint_names == ("j1", "j2")
    assert carpal.fk(model, [0.0, 0.0])[0, 3] == pytest.approx(0.3, abs=1e-15)


def test_bad_files_are_one_sentence(tmp_path, file):
    pytest.importorskip("xacrodoc")
    with pytest.raises(ModelError, match=r"no file 'none\.xacro'"):
        urdf_of_xacro(tmp_path / "none.xacro")
    file.write_text(XACRO.replace("${n}", "${m}"))
    with pytest.raises(ModelError, match=r"'arm\.xacro' could not be expanded by xacro: .*m"):
        carpal.load(file)


def test_without_the_package(file, monkeypatch):
    real = builtins.__import__

    def missing(name, *rest, **more):
        if name == "xacrodoc":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ModelError, match=r"needs the package xacrodoc: pip install \"carpal\[xacro\]\""):
        urdf_of_xacro(file)
