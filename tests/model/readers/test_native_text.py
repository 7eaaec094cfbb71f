from __future__ import annotations

import mujoco

from carpal.model.readers.native_text import native_text
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.safe_xml import parse

FILE = """<mujoco><compiler meshdir="nowhere" texturedir="t" fusestatic="true"/><visual/><sensor/><option cone="elliptic"/>
  <asset><texture name="t" file="gone.png" type="2d"/><material name="m" texture="t"/><hfield name="h" {}/></asset>
  <default><geom material="m" friction="0.3"/><material/></default>
  <worldbody><geom type="hfield" hfield="h" material="m"/><body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>"""


def text_of(hfield: str, meshes: dict[str, str | None], folder=None) -> str | None:
    return native_text(parse(FILE.format(hfield), "x"), meshes, folder)


def test_what_moves_stays_and_what_draws_goes():
    text = text_of('nrow="2" ncol="2" size="1 1 1 1"', {"mesh": None})
    assert text is not None
    compiled = mujoco.MjModel.from_xml_string(text)
    assert compiled.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert compiled.geom_friction[:, 0].tolist() == [0.3, 0.3]
    assert (compiled.nhfield, compiled.ntex, compiled.nmat) == (1, 0, 0)
    assert "fusestatic" not in text


def test_a_missing_mesh_or_height_field_leaves_no_text(tmp_path):
    assert text_of('nrow="2" ncol="2" size="1 1 1 1"', {"mesh": "gone.stl"}) is None
    assert text_of('file="gone.png" size="1 1 1 1"', {}, tmp_path) is None


def test_strangers_files_and_other_shapes_are_not_kept_as_text(tmp_path):
    text = '<mujoco><worldbody><body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>'
    (tmp_path / "a.xml").write_text(text)
    assert read_file(tmp_path / "a.xml").native
    assert not read_file(tmp_path / "a.xml", confined=True).native
    assert not read_text(text, concave="split").native
    assert not read_text(read_text(text).to_mjcf()).native  # what Carpal wrote is read in full
