from __future__ import annotations

from carpal.model.readers.mjcf_strip import strip
from carpal.model.readers.safe_xml import parse


def stripped(text: str, **meshes: str | None):
    root = parse(text, "x")
    notes, changed = strip(root, "x", meshes)
    return root, notes, changed


def test_what_draws_is_gone_and_what_moves_stays():
    root, notes, changed = stripped(
        """<mujoco><visual/><statistic/><sensor/><contact/><size/><asset><texture/><material/><hfield/><skin/></asset>
        <default><material/><geom material="m"/><default class="c"><camera/><joint/></default></default>
        <worldbody><light/><camera/><geom/><frame><geom/></frame><body><geom type="hfield"/><geom material="m"><plugin/></geom>
        <joint/><site material="m"/></body></worldbody></mujoco>"""
    )
    tags = {element.tag for element in root.iter()}
    assert tags == {"mujoco", "asset", "default", "geom", "joint", "worldbody", "frame", "body", "site", "compiler"} | {
        "lengthrange"
    }
    assert "material" not in {key for element in root.iter() for key in element.attrib}
    assert len(list(root.find("worldbody").iter("geom"))) == 1
    assert (notes, changed) == ([], False)


def test_shapes_stay_only_where_inertia_comes_from_them():
    body = '<worldbody><body name="a"><inertial/><geom/><frame><geom/></frame><body name="b"><geom/></body></body></worldbody>'
    root, _, changed = stripped(f"<mujoco>{body}</mujoco>")
    assert [len(b.findall("geom")) for b in root.iter("body")] == [0, 1]
    assert len(list(root.iter("geom"))) == 1
    assert not changed
    root, _, changed = stripped(f'<mujoco><compiler inertiafromgeom="true"/>{body}</mujoco>')
    assert len(list(root.iter("geom"))) == 3
    assert root.find(".//inertial") is None
    assert changed


def test_a_missing_mesh_marks_its_body():
    root, _, _ = stripped(
        '<mujoco><worldbody><body><geom mesh="m"/><geom/></body><body user="1"><geom/></body></worldbody></mujoco>',
        m="m.stl",
    )
    first, second = root.iter("body")
    assert first.get("user") == "1"
    assert [child.tag for child in first] == ["inertial"]
    assert second.get("user") is None


def test_settings_that_change_masses_are_noticed():
    for setting in ('settotalmass="3"', 'boundmass="0.1"', 'boundinertia="0.1"', 'balanceinertia="true"'):
        assert stripped(f"<mujoco><compiler {setting}/></mujoco>")[2], setting
    assert not stripped('<mujoco><compiler settotalmass="-1" boundmass="0" balanceinertia="false"/></mujoco>')[2]
    assert stripped('<mujoco><compiler fusestatic="true" meshdir="x"/></mujoco>')[0].find("compiler").attrib == {}


def test_deformables_are_noted():
    _, notes, _ = stripped(
        '<mujoco><worldbody><body name="a"><flexcomp/></body></worldbody><deformable><flex name="f"/></deformable></mujoco>'
    )
    assert notes == ["deformable bodies are not kept: flex 'f'.", "the <flexcomp> in body 'a' is not kept."]


def test_what_mujoco_shall_not_compile_is_named_and_wrapped_geoms_stay():
    root, lost, _ = stripped(
        """<mujoco><worldbody><geom name="w"/><geom name="v"/></worldbody><equality><flex name="e"/><weld/></equality>
        <tendon><spatial material="m"><geom geom="w"/></spatial></tendon>
        <actuator><plugin name="p"/><motor/></actuator></mujoco>"""
    )
    assert lost == ["the flex equality 'e' is not kept.", "the plugin actuator 'p' is not kept."]
    assert [geom.get("name") for geom in root.find("worldbody")] == ["w"]
    assert "material" not in root.find("tendon/spatial").attrib
    assert [child.tag for tag in ("equality", "actuator") for child in root.find(tag)] == ["weld", "motor"]
