# ruff: noqa: E501 - robot files stand in the text as they are
"""Hostile and mutated files: only a model or a CarpalError ever comes back, and the caller lives on."""

from __future__ import annotations

import copy
import os
import time
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from random_models import random_tree

from carpal.errors import CarpalError
from carpal.model.readers.reading import read_file
from carpal.model.readers.sandbox import read_untrusted
from carpal.model.writers.mjcf_writer import mjcf_text

INERTIAL = '<inertial><origin xyz="0 0.02 0.1" rpy="0 0 0.1"/><mass value="{m}"/><inertia ixx="0.02" iyy="0.021" izz="0.004" ixy="0.0001" ixz="0" iyz="-0.001"/></inertial>'
SHAPE = '<visual><origin xyz="0 0 0.05"/><geometry><mesh filename="package://arm/meshes/{n}.stl" scale="1 1 1"/></geometry><material name="grey"/></visual><collision><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision>'
LIMIT = '<limit lower="-2.9" upper="2.9" effort="{e}" velocity="1.7"/><dynamics damping="0.5" friction="0.1"/>'


def arm_urdf() -> str:
    links = [f'<link name="base_link">{INERTIAL.format(m=4)}{SHAPE.format(n="base")}</link>']
    joints = []
    for i in range(1, 7):
        links.append(f'<link name="link_{i}">{INERTIAL.format(m=3.5 - i / 2)}{SHAPE.format(n=i)}</link>')
        parent = "base_link" if i == 1 else f"link_{i - 1}"
        axis = "0 0 1" if i % 2 else "0 1 0"
        ends = f'<parent link="{parent}"/><child link="link_{i}"/><origin xyz="0 0.1 0.2" rpy="1.5707963 0 {i / 7!r}"/>'
        joints.append(
            f'<joint name="joint_{i}" type="revolute">{ends}<axis xyz="{axis}"/>{LIMIT.format(e=90 - 10 * i)}</joint>'
        )
    joints.append(
        '<joint name="tool_joint" type="fixed"><parent link="link_6"/><child link="tool0"/><origin xyz="0 0 0.1"/></joint>'
    )
    joints.append(
        '<joint name="finger" type="prismatic"><parent link="link_6"/><child link="jaw"/><axis xyz="1 0 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.1"/><mimic joint="joint_6" multiplier="0.1"/></joint>'
    )
    links += ['<link name="tool0"/>', f'<link name="jaw">{INERTIAL.format(m=0.1)}</link>']
    head = (
        '<?xml version="1.0"?>\n<robot name="six_axis"><material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>'
    )
    return head + "\n".join(links + joints) + "<transmission name='t'/></robot>"


ARM_MJCF = """<mujoco model="panda-like"><compiler angle="degree" meshdir="assets" autolimits="true"/>
<option integrator="implicitfast" gravity="0 0 -9.81"/><visual><global offwidth="640"/></visual>
<default><default class="arm"><material specular="0.5"/><joint armature="0.1" damping="1" axis="0 0 1" range="-166 166"/>
<geom type="capsule" size="0.05" group="3"/><default class="finger"><joint axis="0 1 0" type="slide" range="0 0.04"/></default></default></default>
<asset><texture name="grid" type="2d" builtin="checker" width="512" height="512" rgb1="0 0 0" rgb2="1 1 1"/>
<material name="grid" texture="grid" texrepeat="1 1"/><mesh name="link0" file="link0.stl"/></asset>
<worldbody><light pos="0 0 1.5" directional="true"/><geom name="floor" size="0 0 0.05" type="plane" material="grid"/>
<body name="link0" childclass="arm"><inertial mass="0.63" pos="-0.041 -0.0001 0.05" fullinertia="0.00315 0.00388 0.004285 8.2904e-7 0.00015 8.2299e-6"/>
<geom type="mesh" mesh="link0"/>
<body name="link1" pos="0 0 0.333" euler="0 0 10"><joint name="joint1"/><geom fromto="0 0 -0.1 0 0 0.1" mass="4.97"/>
<body name="link2" quat="1 -1 0 0"><joint name="joint2" range="-101 101" actuatorfrcrange="-87 87"/><geom fromto="0 0 0 0 -0.2 0" density="2000"/>
<frame pos="0 -0.316 0" euler="90 0 0"><body name="link3"><joint name="joint3a"/><joint name="joint3b" axis="1 0 0" pos="0 0 0.1" ref="10"/>
<inertial mass="3.2" pos="0.027 0.039 -0.066" diaginertia="0.037 0.036 0.0108" euler="1 2 3"/>
<body name="left" childclass="finger" pos="0 0 0.0584"><joint name="finger1"/><geom type="box" size="0.01 0.01 0.02"/></body>
<body name="right" childclass="finger" pos="0 0 0.0584" quat="0 0 0 1"><joint name="finger2"/><geom type="box" size="0.01 0.01 0.02"/><site name="tool" pos="0 0 0.1"/></body>
</body></frame></body></body></body>
<replicate count="2" offset="0 1 0" euler="0 0 30"><body name="ball" pos="1 0 1"><freejoint/><geom size="0.03" mass="0.1"/></body></replicate>
<body name="pendulum" pos="0 2 1"><joint type="ball" damping="0.1"/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody>
<tendon><fixed name="split"><joint joint="finger1" coef="0.5"/></fixed></tendon>
<equality><joint joint1="finger1" joint2="finger2"/></equality>
<actuator><position class="arm" name="a1" joint="joint1" kp="4500" ctrlrange="-2 2"/></actuator>
<sensor><jointpos joint="joint1"/></sensor></mujoco>"""


def bases() -> list[tuple[str, str]]:
    return [
        ("urdf", arm_urdf()), ("urdf", '<robot name="r"><link name="a"/></robot>'),
        ("xml", ARM_MJCF), ("xml", mjcf_text(random_tree(5, joints=6, free="anywhere"))),
    ]  # fmt: skip


NUMBERS = [
    "0",
    "-1",
    "1e308",
    "-1e-320",
    "nan",
    "inf",
    "99999999",
    "1e-16",
    "abc",
    "",
    "0 0 0 0 0",
    "2147483648",
    "0x10",
    "１",
]
TOKENS = [
    "<", ">", '"', "/>", "</body>", "<body>", "<joint/>", "<geom/>", "<inertial/>", '<include file="/etc/passwd"/>', "<replicate count='9000'>",
    '<freejoint/>', '<joint type="ball"/>', "<!DOCTYPE a>", "&lt;", "&#0;", "\0", "\ufeff", "<![CDATA[", "<!--", "-->", "<robot>", "</robot>",
    '<composite type="cable" count="100 1 1" curve="s" size="1"/>', '<flexcomp type="grid" count="99 99 99" name="f"/>', "é" * 300,
]  # fmt: skip


def mutate(text: str, rng: np.random.Generator) -> bytes:
    """Half of the files stay well-formed XML, so that they get past the first check; the others are cut up as bytes."""
    return mutate_tree(text, rng) if rng.random() < 0.5 else mutate_bytes(text, rng)


def mutate_tree(text: str, rng: np.random.Generator) -> bytes:
    """One to three changes of values, attributes, tags and places of elements."""
    root = ET.fromstring(text)
    for _ in range(int(rng.integers(1, 4))):
        elements = list(root.iter())
        one, other = (elements[int(k)] for k in rng.integers(len(elements), size=2))
        keys = sorted(one.attrib)
        key = str(rng.choice(keys)) if keys else "name"
        way = int(rng.integers(8))
        if way <= 2:  # one word of a value
            words = one.get(key, "").split() or [""]
            words[int(rng.integers(len(words)))] = str(rng.choice(NUMBERS))
            one.set(key, " ".join(words))
        elif way == 3:
            one.set(key, str(rng.choice(sorted(other.attrib.values()) or ["x"])))
        elif way == 4:
            one.attrib.pop(key, None)
        elif way == 5:
            one.tag = other.tag
        elif way == 6:  # an element twice, or somewhere else; a copy, because a tree must stay one
            other.append(copy.deepcopy(one))
        elif len(one):
            one.remove(one[int(rng.integers(len(one)))])
    return ET.tostring(root, encoding="utf-8")


def mutate_bytes(text: str, rng: np.random.Generator) -> bytes:
    """One to four tokens put in, stretches cut out or bytes changed."""
    data = bytearray(text.encode())
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(data) + 1))
        way = int(rng.integers(3))
        if way == 0:
            data[at:at] = str(rng.choice(TOKENS)).encode()
        elif way == 1:
            del data[at : at + int(rng.integers(1, 60))]
        elif at < len(data):
            data[at] = int(rng.integers(256))
    return bytes(data)


def run_mutations(folder: Path, first: int, count: int) -> dict[str, int]:
    """Read `count` mutated files; how many were models, refusals, contained failures of the reader, and escapes."""
    texts = bases()
    tally = {"model": 0, "refused": 0, "contained": 0, "escaped": 0}
    for seed in range(first, first + count):
        suffix, text = texts[seed % len(texts)]
        path = folder / f"mutant.{suffix}"
        path.write_bytes(mutate(text, np.random.default_rng(seed)))
        started = time.monotonic()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                warnings.simplefilter("error", RuntimeWarning)
                read_untrusted(path)
            kind = "model"
        except CarpalError as error:
            sentence = str(error)
            contained = "could not be read safely" in sentence or "beyond this reader" in sentence
            kind = "contained" if contained else "refused"
            if contained:
                print(seed, sentence)
            if "\n" in sentence or len(sentence) > 600 or "Traceback" in sentence:
                kind = "escaped"
        except Exception as error:
            print(seed, repr(error))
            kind = "escaped"
        if time.monotonic() - started > 30.0:  # the cap is 10 s
            kind = "escaped"
        tally[kind] += 1
    return tally


def check(tally: dict[str, int], count: int, figure) -> None:
    print(tally)
    figure("mutated URDF and MJCF files read as from strangers", sum(tally.values()), count, at_least=True)
    figure("mutated files that crashed, hung or escaped with another error", tally["escaped"], 0)
    figure("mutated files on which the parser itself failed, contained in its child", tally["contained"], 0)
    assert tally["model"] > count // 20  # mutations that only ever give nonsense would test nothing
    assert tally["refused"] > count // 20


def test_two_thousand_mutated_files(tmp_path, figure):
    check(run_mutations(tmp_path, 0, 2000), 2000, figure)


@pytest.mark.full
def test_ten_thousand_mutated_files(tmp_path, figure):
    check(run_mutations(tmp_path, 2000, 10_000), 10_000, figure)


def test_the_bases_are_sound(tmp_path):
    for suffix, text in bases():
        path = tmp_path / f"base.{suffix}"
        path.write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            assert len(read_file(path).bodies) >= 1


def links(count: int) -> str:
    return "".join(
        f'<link name="l{i}"/><joint name="j{i}" type="fixed"><parent link="l{i // 2}"/><child link="l{i}"/></joint>'
        for i in range(1, count)
    )


HOSTILE = {
    "empty.urdf": b"",
    "binary.xml": bytes(range(256)) * 100,
    "bomb.xml": b'<!DOCTYPE m [<!ENTITY a "' + b"a" * 1000 + b'">' + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)) + b"]><mujoco>&j;</mujoco>",
    "deep.xml": b"<mujoco><worldbody>" + b"<body>" * 100_000,
    "many.urdf": f'<robot name="r"><link name="l0"/>{links(100_000)}</robot>'.encode(),
    "nan.urdf": arm_urdf().replace('xyz="0 0.1 0.2"', 'xyz="nan 0.1 0.2"').encode(),
    "infinite.urdf": arm_urdf().replace('xyz="0 0.1 0.2"', 'xyz="inf 0.1 0.2"').encode(),
    "negative.urdf": arm_urdf().replace('mass value="4"', 'mass value="-4"').encode(),
    "cycle.urdf": arm_urdf().replace('child link="tool0"', 'child link="base_link"').encode(),
    "twice.urdf": arm_urdf().replace('link name="tool0"', 'link name="link_1"').encode(),
    "orphan.urdf": arm_urdf().replace('parent link="base_link"', 'parent link="nobody"').encode(),
    "copies.xml": b'<mujoco><worldbody><replicate count="9999"><replicate count="9999"><body><geom size="1"/></body></replicate></replicate></worldbody></mujoco>',
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_one_sentence(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    for read in (read_file, read_untrusted):
        with pytest.raises(CarpalError, match=f"'{name}'") as caught:
            read(path)
        assert "\n" not in str(caught.value)
        assert "beyond this reader" not in str(caught.value)


def test_a_hundred_megabytes_a_folder_a_pipe_and_nothing(tmp_path):
    big = tmp_path / "big.urdf"
    with big.open("wb") as file:
        file.write(b"<robot name='r'>")
        file.truncate(100_000_000)
    os.mkfifo(tmp_path / "pipe.urdf")
    (tmp_path / "folder.urdf").mkdir()
    cases = {
        "big.urdf": "larger than 32 MB",
        "folder.urdf": "not a plain file",
        "pipe.urdf": "not a plain file",
        "no.urdf": "no file",
    }
    for name, sentence in cases.items():
        for read in (read_file, read_untrusted):
            with pytest.raises(CarpalError, match=sentence):
                read(tmp_path / name)


def test_a_giant_texture_hangs_nothing(tmp_path):
    path = tmp_path / "texture.xml"
    path.write_text(ARM_MJCF.replace('width="512" height="512"', 'width="99999999" height="99999999"'))
    for read in (read_file, read_untrusted):
        with pytest.warns(UserWarning, match=r"link0\.stl"):
            assert read(path).nv > 5


def test_strangers_files_see_only_their_own_folder(tmp_path):
    (tmp_path / "secret.xml").write_text('<mujoco><body name="secret"/></mujoco>')
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.xml").write_text('<mujoco><worldbody><include file="../secret.xml"/></worldbody></mujoco>')
    assert read_file(folder / "a.xml").bodies[0].name == "secret"
    with pytest.raises(CarpalError, match="outside its own folder"):
        read_untrusted(folder / "a.xml")


def test_nothing_is_printed_or_left_behind(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "files"
    folder.mkdir()
    texts = bases()
    sentences = []
    for seed in range(300):
        path = folder / f"x.{texts[seed % 4][0]}"
        path.write_bytes(mutate(texts[seed % 4][1], np.random.default_rng(seed)))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                read_file(path, confined=True)
        except CarpalError as error:
            sentences.append(str(error))
    assert len(sentences) > 100
    assert not any("beyond this reader" in sentence for sentence in sentences)
    assert os.listdir(tmp_path) == ["files"]
    assert capfd.readouterr() == ("", "")
