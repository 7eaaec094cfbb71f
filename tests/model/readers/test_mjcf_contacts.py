"""Contacts as MJCF files say: random trees with masks, excludes and pairs, every two geoms overlapping, against MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import carpal
from carpal.contact import contact_tables
from carpal.model.readers.mjcf_contacts import flag_disabled
from carpal.model.readers.reading import read_text
from carpal.model.readers.safe_xml import parse


def random_file(rng: np.random.Generator) -> str:
    """A tree whose spheres all overlap: fixed bodies, several joints on one body, masks of three bits, excludes, pairs."""
    count = int(rng.integers(3, 9))
    parents = [int(rng.integers(-1, i)) if i else -1 for i in range(count)]
    geoms: list[str] = []

    def geom(body: str) -> str:
        masks = f'contype="{rng.integers(0, 8)}" conaffinity="{rng.integers(0, 8)}"' if rng.random() < 0.5 else ""
        geoms.append(f"g{len(geoms)}")
        return f'<geom name="{geoms[-1]}" size="{rng.uniform(1, 2):.3f}" pos="{rng.uniform(0, 0.2):.3f} 0 0" {masks}/>'

    def body(i: int) -> str:
        joints = "".join(
            f'<joint type="hinge" axis="{a} {b} 1"/>' for a, b in rng.integers(0, 2, (int(rng.integers(0, 3)), 2))
        )
        inside = "".join(geom(f"b{i}") for _ in range(int(rng.integers(0, 3))))
        below = "".join(body(k) for k in range(count) if parents[k] == i)
        inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f'<body name="b{i}" pos="0.01 0 0">{inertial}{joints}{inside}{below}</body>'

    world = geom("world") + "".join(body(k) for k in range(count) if parents[k] == -1)
    bodies = ["world", *(f"b{i}" for i in range(count))]
    chosen = {tuple(sorted(rng.choice(bodies, 2, replace=False))) for _ in range(int(rng.integers(0, 4)))}
    excludes = "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in sorted(chosen))
    paired = {tuple(sorted(rng.choice(geoms, 2, replace=False))) for _ in range(3)} if len(geoms) > 1 else set()
    pairs = "".join(f'<pair geom1="{a}" geom2="{b}"/>' for a, b in sorted(paired) if rng.random() < 0.5)
    flag = '<option><flag filterparent="disable"/></option>' if rng.random() < 0.2 else ""
    return f"<mujoco>{flag}<worldbody>{world}</worldbody><contact>{excludes}{pairs}</contact></mujoco>"


def native(text: str) -> set[frozenset[str]]:
    """Names of the geoms that MuJoCo finds in contact at zero; two geoms that stand still do not count."""
    there = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(there)
    mujoco.mj_kinematics(there, data)  # no dynamics: joints with one axis make the mass matrix singular
    mujoco.mj_collision(there, data)
    pairs = [(int(c.geom1), int(c.geom2)) for c in data.contact]
    weld = there.body_weldid[there.geom_bodyid]
    return {frozenset((there.geom(a).name, there.geom(b).name)) for a, b in pairs if weld[a] != weld[b]}


def ours(model: carpal.Model) -> set[frozenset[str]]:
    tables = contact_tables(model)
    return {frozenset(tables.pair_names(i)) for i in range(len(tables.pairs))}


def trials(count: int, seed: int) -> tuple[int, int]:
    rng, wrong, found = np.random.default_rng(seed), 0, 0
    for _ in range(count):
        text = random_file(rng)
        expected = native(text)
        model = read_text(text)
        written = model.to_mjcf()
        again = read_text(written)
        wrong += ours(model) != expected
        wrong += native(written) != expected
        wrong += ours(again) != expected
        found += len(expected)
    return wrong, found


def test_random_trees_have_mujocos_contacts(figure) -> None:
    wrong, found = trials(40, 0)
    assert found > 200
    figure(
        "of 40 random MJCF trees, contact sets that differ from MuJoCo's (checker, written MJCF, read again)", wrong, 0
    )


@pytest.mark.full
def test_many_random_trees_have_mujocos_contacts(figure) -> None:
    wrong, _ = trials(2000, 1)
    figure("of 2,000 random MJCF trees, contact sets that differ from MuJoCo's", wrong, 0)


def test_what_the_file_names_is_kept_by_name() -> None:
    text = """<mujoco><worldbody><body name="a"><joint/><geom name="ga" size="1"/>
    <body name="b"><joint/><geom name="gb" size="1"/><body name="c"><joint/><geom name="gc" size="1" contype="2" conaffinity="4"/></body></body></body>
    <body name="empty"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
    <body name="d"><joint/><geom name="gd" size="1" contype="0" conaffinity="0"/></body></worldbody>
    <contact><exclude body1="a" body2="empty"/><pair geom1="ga" geom2="gd"/></contact></mujoco>"""  # noqa: E501 - a robot file
    model = read_text(text)
    assert model.exclusions == (("a", "empty"),) and model.contact_pairs == (("ga", "gd"),)
    shapes = {shape.name: shape for shape in model.shapes}
    assert (shapes["gc"].contype, shapes["gc"].conaffinity) == (2, 4)
    assert (shapes["gd"].contype, shapes["gd"].conaffinity, shapes["gd"].collides) == (0, 0, True)
    assert ours(model) == {frozenset(("ga", "gd"))} == native(text)
    again = read_text(model.to_mjcf())
    for before, after in zip(model.shapes, again.shapes, strict=True):
        assert (before.collides, before.contype, before.conaffinity) == (
            after.collides,
            after.contype,
            after.conaffinity,
        )
    assert (again.exclusions, again.contact_pairs) == (model.exclusions, model.contact_pairs)


def test_a_file_without_contacts_has_none() -> None:
    text = """<mujoco><option><flag contact="disable"/></option><worldbody><geom size="1"/>
    <body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>"""
    with pytest.warns(UserWarning, match="contacts are switched off by the file"):
        model = read_text(text)
    assert len(model.shapes) == 2 and not ours(model)
    assert not flag_disabled(parse(text, "x"), "filterparent")


def test_a_geom_with_another_bodys_name_is_not_excluded_with_it() -> None:
    text = """<mujoco><worldbody><body name="a"><freejoint/><geom name="b" size="1"/></body><body name="b"><freejoint/><geom size="1"/></body>
    <body name="c"><freejoint/><geom name="gc" size="1"/></body></worldbody><contact><exclude body1="b" body2="c"/></contact></mujoco>"""  # noqa: E501 - a robot file
    model = read_text(text)
    assert len(ours(model)) == len(native(text)) == 2
    assert [shape.name for shape in model.shapes] == ["b_", "b_geom0", "gc"]
