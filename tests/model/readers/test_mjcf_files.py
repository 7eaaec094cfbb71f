# ruff: noqa: E501 - robot files stand in the text as they are
from __future__ import annotations

import pytest

from carpal.errors import ModelError
from carpal.model.readers.mjcf_files import expand_includes, settle_meshes
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.safe_xml import parse

BODY = '<body name="a"><joint/><geom size="1"/></body>'


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text)


def test_includes_at_the_top_and_inside_bodies(tmp_path):
    (tmp_path / "parts").mkdir()
    write(
        tmp_path,
        main='<mujoco><include file="options.xml"/><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>',
        options='<mujocoinclude><option gravity="0 0 -1"/></mujocoinclude>',
    )
    write(tmp_path / "parts", arm='<mujoco><include file="hand.xml"/></mujoco>', hand=f"<mujoco>{BODY}</mujoco>")
    m = read_file(tmp_path / "main.xml", confined=True)
    assert m.gravity.tolist() == [0, 0, -1]
    assert [body.name for body in m.bodies] == ["a"]


def test_includes_from_outside_are_refused_to_strangers(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    write(tmp_path, outside=f"<mujoco>{BODY}</mujoco>")
    (folder / "link.xml").symlink_to(tmp_path / "outside.xml")
    for reference in ("../outside.xml", str(tmp_path / "outside.xml"), "link.xml"):
        write(folder, main=f'<mujoco><worldbody><include file="{reference}"/></worldbody></mujoco>')
        assert len(read_file(folder / "main.xml").bodies) == 1
        with pytest.raises(ModelError, match=r"outside its own folder; refused\."):
            read_file(folder / "main.xml", confined=True)


def test_includes_that_cannot_be(tmp_path):
    write(tmp_path, a='<mujoco><include file="b.xml"/></mujoco>', b='<mujoco><include file="b.xml"/></mujoco>')
    with pytest.raises(ModelError, match="twice, or in a circle"):
        read_file(tmp_path / "a.xml")
    write(tmp_path, a='<mujoco><include file="c.xml"/></mujoco>')
    with pytest.raises(ModelError, match=r"'a.xml' includes 'c.xml', which was not found"):
        read_file(tmp_path / "a.xml")
    with pytest.raises(ModelError, match="without a folder cannot include"):
        read_text('<mujoco><include file="c.xml"/></mujoco>')
    write(tmp_path, a='<mujoco><include file="d.xml"/></mujoco>', d="<!DOCTYPE x><mujoco/>")
    with pytest.raises(ModelError, match=r"'d.xml' has a <!DOCTYPE>"):
        read_file(tmp_path / "a.xml")


def test_a_tower_of_includes_is_refused(tmp_path):
    deep = "<body>" * 150 + '<include file="b.xml"/>' + "</body>" * 150
    write(
        tmp_path,
        a=f"<mujoco><worldbody>{deep}</worldbody></mujoco>",
        b="<mujoco>" + "<body>" * 150 + "</body>" * 150 + "</mujoco>",
    )
    with pytest.raises(ModelError, match="nested deeper than 200"):
        read_file(tmp_path / "a.xml")


def test_mesh_paths_follow_the_compilers_settings(tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.stl").write_text("x")
    tree = '<mujoco><compiler meshdir="assets" strippath="{}"/><asset><mesh file="x/a.stl"/><mesh name="b" vertex="0"/></asset></mujoco>'
    assert settle_meshes(parse(tree.format("false"), "x"), tmp_path, confined=False) == {"a": "x/a.stl", "b": None}
    root = parse(tree.format("true"), "x")
    assert settle_meshes(root, tmp_path, confined=True) == {"a": None, "b": None}
    assert root.find("asset/mesh").get("file") == str((tmp_path / "assets" / "a.stl").resolve())


def test_meshes_beside_included_files(tmp_path):
    """As MuJoCo the main file's folder comes first; a mesh that is not there is found beside the file that names it."""
    folder = tmp_path / "robot" / "assets"
    folder.mkdir(parents=True)
    (folder / "a.stl").write_text("x")
    write(tmp_path, main='<mujoco><include file="robot/arm.xml"/></mujoco>')
    write(tmp_path / "robot", arm='<mujoco><compiler meshdir="assets"/><asset><mesh file="a.stl"/></asset></mujoco>')
    root = parse((tmp_path / "main.xml").read_text(), "main")
    beside = expand_includes(root, "main", tmp_path, confined=True)
    assert settle_meshes(root, tmp_path, confined=True) == {"a": "a.stl"}
    assert settle_meshes(root, tmp_path, confined=True, beside=beside) == {"a": None}
    assert root.find("asset/mesh").get("file") == str((folder / "a.stl").resolve())


def test_a_stranger_may_include_from_its_package(tmp_path):
    for folder in ("arm/mjcf", "arm/common"):
        (tmp_path / folder).mkdir(parents=True)
    write(tmp_path / "arm/common", body=f"<mujoco>{BODY}</mujoco>")
    write(tmp_path / "arm/mjcf", main='<mujoco><worldbody><include file="../common/body.xml"/></worldbody></mujoco>')
    assert len(read_file(tmp_path / "arm/mjcf/main.xml", confined=True).bodies) == 1
