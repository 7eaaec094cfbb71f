"""Equalities against MuJoCo's own constraint rows: the model's couplings and loops say the same of random poses."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from carpal.errors import ModelError
from carpal.kinematics import fk
from carpal.model import Coupling
from carpal.model.readers.mjcf_constraints import oriented
from carpal.model.readers.reading import read_text
from carpal.spatial import inverse

TREE = """<worldbody>
  <body name="a" pos="0 0 1" euler="10 20 30"><joint name="ja" axis="0 1 0" ref="10"/><geom size=".1"/>
    <site name="sa" pos=".1 .2 .3" euler="5 6 7"/>
    <body name="b" pos=".3 0 0"><joint name="jb" axis="1 1 0" ref="-20"/><geom size=".1"/></body></body>
  <body name="c" pos="0 1 .3" euler="40 0 0"><joint name="jc" type="slide"/><joint name="jd" axis="1 0 0"/><geom size=".1"/>
    <site name="sc" pos=".3 .2 .1"/></body></worldbody>"""
EQUALITIES = [
    '<connect name="e" body1="b" body2="c" anchor=".1 .2 .3"/>',
    '<connect name="e" body1="b" anchor=".1 .2 .3"/>',
    '<connect name="e" site1="sa" site2="sc"/>',
    '<weld name="e" body1="b" body2="c"/>',
    '<weld name="e" body1="b" body2="c" relpose=".5 .6 .7 .9 .1 .2 .3" anchor=".1 .2 .3"/>',
    '<weld name="e" body1="b"/>',
    '<weld name="e" site1="sa" site2="sc"/>',
    '<joint name="e" joint1="ja" joint2="jb" polycoef=".1 .2 .3 .4 .5"/>',
    '<joint name="e" joint1="ja" joint2="jc" polycoef=".1 2"/>',
    '<joint name="e" joint1="jd" polycoef=".3"/>',
]


def rows(model, q):
    """What the couplings and loops of a model miss, as MuJoCo orders it; a loop's turn as the angle alone."""
    out = []
    for c in model.couplings:
        x = 0.0 if c.leader is None else q[model.q_index(c.leader)] - c.leader_ref
        out.append(q[model.q_index(c.follower)] - c.follower_ref - np.polynomial.polynomial.polyval(x, c.coefficients))
    for loop in model.loops:
        X_WA = fk(model, q, loop.body_a) @ loop.X_AL
        X_WB = (np.eye(4) if loop.body_b is None else fk(model, q, loop.body_b)) @ loop.X_BL
        out += list(X_WA[:3, 3] - X_WB[:3, 3])
        if loop.kind == "weld":
            turn = (inverse(X_WA) @ X_WB)[:3, :3]
            out.append(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1)))
    return np.array(out)


@pytest.mark.parametrize("equality", EQUALITIES)
def test_the_same_rows_as_mujoco(equality):
    text = f"<mujoco>{TREE}<equality>{equality}</equality></mujoco>"
    model, native = read_text(text), mujoco.MjModel.from_xml_string(text)
    data, rng = mujoco.MjData(native), np.random.default_rng(0)
    for _ in range(5):
        q = rng.uniform(-1, 1, 4)
        data.qpos[:] = q
        mujoco.mj_forward(native, data)
        found = data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY].copy()
        ours = rows(model, q)
        if len(found) == 6:  # MuJoCo: the vector part of the quaternion, sin(angle / 2) along the axis
            found = np.array([*found[:3], 2 * np.arcsin(np.linalg.norm(found[3:]))])
        assert np.abs(found).max() > 0.01
        assert np.allclose(ours, found, atol=1e-7 if len(found) == 4 else 1e-12)


def test_what_is_not_kept_is_named():
    tendon = '<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed></tendon>'
    equalities = '<joint name="off" joint1="ja" active="false"/><tendon name="cord" tendon1="t"/>'
    with pytest.warns(UserWarning, match="'off'") as heard:
        model = read_text(f"<mujoco>{TREE}{tendon}<equality>{equalities}</equality></mujoco>")
    said = [str(warning.message) for warning in heard]
    assert (model.couplings, model.loops) == ((), ())
    assert len(said) == 2
    assert any("'off' is not active" in sentence for sentence in said)
    assert any("tendon equality 'cord'" in sentence for sentence in said)


def test_unnamed_equalities_get_names():
    equalities = '<joint joint1="ja" joint2="jb"/><connect site1="sa" site2="sc"/><weld body1="b"/>'
    model = read_text(f"<mujoco>{TREE}<equality>{equalities}</equality></mujoco>")
    assert [thing.name for thing in (*model.couplings, *model.loops)] == [
        "joint_ja_jb",
        "connect_sa_sc",
        "weld_b_world",
    ]


def test_a_joint_on_the_left_twice_is_turned_round():
    first, second = Coupling("x", "a", "b", (0.0, 1.0)), Coupling("y", "a", "c", (0.5, 2.0), 0.1, 0.2)
    same, turned = oriented([first, second])
    assert same is first
    assert (turned.follower, turned.leader, turned.follower_ref, turned.leader_ref) == ("c", "a", 0.2, 0.1)
    q_c = 0.7
    q_a = 0.1 + 0.5 + 2.0 * (q_c - 0.2)
    assert np.isclose(0.2 + turned.coefficients[0] + turned.coefficients[1] * (q_a - 0.1), q_c)
    assert oriented([first, Coupling("z", "a", "b", (0.0, 1.0))]) == (first,)


@pytest.mark.parametrize(
    "other", [Coupling("y", "a", "b", (0.0, 2.0)), Coupling("y", "a", "c", (0.0, 1.0, 1.0)), Coupling("y", "a", None, (0.0,))]
)  # fmt: skip
def test_contradictions_are_one_sentence(other):
    with pytest.raises(ModelError, match="'x' and 'y', which contradict each other"):
        oriented([Coupling("x", "a", "b", (0.0, 1.0)), other])
