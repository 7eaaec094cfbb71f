# ruff: noqa: E501 - robot files stand in the text as they are
"""Hostile mesh paths, huge meshes, circles of couplings, contradictory equalities: one clear sentence each, or a named warning."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path

import pytest

from carpal.errors import CarpalError
from carpal.model.readers.sandbox import read_untrusted

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def urdf(collision: str = "", joints: str = "") -> str:
    links = "".join(f'<link name="{name}">{INERTIAL}{collision if name == "b" else ""}</link>' for name in "abc")
    ends = '<parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/>'
    first = f'<joint name="j" type="continuous">{ends.format("a", "b")}{joints}</joint>'
    return f'<robot name="r">{links}{first}<joint name="k" type="continuous">{ends.format("b", "c")}</joint></robot>'


def mjcf(more: str, geom: str = '<geom size="0.1"/>') -> str:
    body = '<body name="{}" pos="{} 0 0"><joint name="{}" axis="0 1 0"/><geom size="0.1" contype="0" conaffinity="0"/>'
    inside = (
        f"{body.format('p', 1, 'u')}{body.format('q', 1, 'v')}</body></body>{body.format('s', -1, 'w')}{geom}</body>"
    )
    return f'<mujoco model="m"><worldbody>{inside}</worldbody>{more}</mujoco>'


def mesh(file: str) -> str:
    return f'<collision><geometry><mesh filename="{file}"/></geometry></collision>'


def stl(path: Path, triangles: int, *, claimed: int | None = None) -> None:
    """A binary STL whose header may claim another number of triangles than it holds."""
    one = struct.pack("<12fH", *[0.0] * 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", triangles if claimed is None else claimed) + triangles * one)


def answer(folder: Path, text: str, suffix: str) -> tuple[str, list[str]]:
    """The refusal ("" for a model), and the warnings; anything else but a CarpalError escapes."""
    path = folder / f"robot.{suffix}"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            read_untrusted(path)
            sentence = ""
        except CarpalError as error:
            sentence = str(error)
    said = [str(each.message) for each in heard if issubclass(each.category, UserWarning)]
    for text in [sentence, *said]:
        assert "\n" not in text and len(text) < 1000 and "Traceback" not in text, text
    assert "could not be read safely" not in sentence and "beyond this reader" not in sentence, sentence
    return sentence, said


@pytest.mark.parametrize(
    "file",
    [
        "../../../../../../etc/passwd", "/etc/passwd", "file:///etc/shadow", "package://../../etc/passwd", "http://localhost:1/x.stl",
        "package://", "/dev/zero", "/dev/stdin", "a" * 5000 + ".stl", "x\\..\\..\\y.stl", "con.stl", "~/x.stl", "$HOME/x.stl", "mesh.stl/../../x.stl",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["urdf", "xml"])
def test_a_hostile_mesh_path_is_named_and_never_opened(tmp_path, file, kind):
    text = urdf(mesh(file))
    if kind == "xml":
        text = mjcf(f'<asset><mesh name="x" file="{file}"/></asset>', '<geom type="mesh" mesh="x"/>')
    sentence, said = answer(tmp_path, text, kind)
    assert sentence or said, "neither refused nor warned about"
    assert "root:" not in sentence + "".join(said)


@pytest.mark.parametrize("kind", ["urdf", "xml"])
@pytest.mark.parametrize(
    ("triangles", "claimed"), [(2, 4_000_000_000), (2, 100_000_000), (0, 0), (1, 1), (400_000, None)]
)
def test_a_mesh_that_is_huge_or_says_so_is_contained(tmp_path, kind, triangles, claimed):
    stl(tmp_path / "big.stl", triangles, claimed=claimed)
    text = urdf(mesh("big.stl"))
    if kind == "xml":
        text = mjcf('<asset><mesh name="x" file="big.stl"/></asset>', '<geom type="mesh" mesh="x"/>')
    sentence, said = answer(tmp_path, text, kind)
    assert sentence or said, "a mesh without volume was taken for a shape"


CIRCLES = [
    ('<equality><joint joint1="u" joint2="v"/><joint joint1="v" joint2="u"/></equality>', "circle"),
    ('<equality><joint joint1="u" joint2="v"/><joint joint1="v" joint2="w"/><joint joint1="w" joint2="u"/></equality>', "circle"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "word"), CIRCLES)
def test_circles_of_joint_equalities(tmp_path, more, word):
    sentence, said = answer(tmp_path, mjcf(more), "xml")
    assert word in sentence + "".join(said)


@pytest.mark.parametrize(
    "more",
    [
        '<equality><joint joint1="u" joint2="v" polycoef="0 1 0 0 0"/><joint joint1="u" joint2="v" polycoef="1 1 0 0 0"/></equality>',
        '<equality><joint joint1="u" polycoef="0 0 0 0 0"/><joint joint1="u" polycoef="1 0 0 0 0"/></equality>',
    ],
)
def test_contradictory_equalities_are_one_sentence(tmp_path, more):
    sentence, said = answer(tmp_path, mjcf(more), "xml")
    assert "'u'" in sentence + "".join(said), (sentence, said)


def test_a_joint_that_mimics_itself(tmp_path):
    sentence, said = answer(tmp_path, urdf(joints='<mimic joint="j"/>'), "urdf")
    assert "j" in sentence + "".join(said) and sentence + "".join(said)
