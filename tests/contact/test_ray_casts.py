"""Ray casts: MuJoCo and trimesh see the same; models name what was met."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
import trimesh
from mesh_inputs import bumpy_ring
from random_models import random_pose

from carpal.contact import cast_rays
from carpal.errors import CarpalError
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Model, Plane, Scene, Shape, Sphere
from carpal.spatial import wxyz_from_rotation

SOLIDS: list[tuple[Shape, str]] = [
    (Sphere(0.3), "0.3"), (Box((0.2, 0.5, 0.9)), "0.1 0.25 0.45"), (Capsule(0.2, 0.7), "0.2 0.35"),
    (Cylinder(0.3, 0.8), "0.3 0.4"), (Ellipsoid((0.2, 0.4, 0.7)), "0.2 0.4 0.7"), (Plane(), "0 0 1"),
]  # fmt: skip


def rays(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    o, aim = rng.uniform(-1, 1, (count, 3)), rng.uniform(-0.3, 0.3, (count, 3))
    d = aim - o
    return o, d / np.linalg.norm(d, axis=1)[:, None]


def against_mujoco(shape: Shape, size: str, count: int, figure) -> None:
    rng = np.random.default_rng(1)
    X = random_pose(rng) * np.array([[1, 1, 1, 0.2]] * 3 + [[1, 1, 1, 1]])
    place = f'pos="{" ".join(map(repr, X[:3, 3].tolist()))}" quat="{" ".join(map(repr, wxyz_from_rotation(X[:3, :3]).tolist()))}"'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="{shape.kind}" size="{size}" {place}/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    o, d = rays(rng, count)
    if isinstance(shape, Plane):  # MuJoCo sees planes from above only
        above = (o - X[:3, 3]) @ X[:3, 2] > 0
        o, d = o[above], d[above]
    geom = np.zeros(1, np.int32)
    true = np.array([mujoco.mj_ray(model, data, a, b, None, 1, -1, geom, None) for a, b in zip(o, d, strict=True)])
    mine = cast_rays(shape, o, d, X_WS=X)
    hit = true >= 0
    differ = int((hit != mine.hit).sum())
    both = hit & mine.hit
    assert both.sum() > count // 4
    figure(f"rays on a {shape.kind} of {len(o)} on which MuJoCo and Carpal disagree whether they hit", differ, 0)
    far = np.minimum(true, 100.0)[both]  # beyond, MuJoCo's rounding of grazing rays counts
    figure(
        f"distance along rays to a {shape.kind} against MuJoCo [m]",
        np.abs(far - np.minimum(mine.distance[both], 100)).max(),
        1e-9,
    )


@pytest.mark.parametrize(("shape", "size"), SOLIDS, ids=lambda x: getattr(x, "kind", ""))
def test_mujoco_sees_the_same(shape: Shape, size: str, figure) -> None:
    against_mujoco(shape, size, 500, figure)


@pytest.mark.full
@pytest.mark.parametrize(("shape", "size"), SOLIDS, ids=lambda x: getattr(x, "kind", ""))
def test_mujoco_sees_the_same_on_many(shape: Shape, size: str, figure) -> None:
    against_mujoco(shape, size, 100_000, figure)


def against_trimesh(rows: int, columns: int, count: int, figure) -> None:
    mesh = bumpy_ring(rows, columns, 0)
    o, d = rays(np.random.default_rng(2), count)
    there = trimesh.Trimesh(mesh.points, mesh.faces, process=False)
    true = np.full(count, np.inf)
    for first in range(0, count, 200):  # all at once its candidates take 24 GB
        where, ray, _ = there.ray.intersects_location(
            o[first : first + 200], d[first : first + 200], multiple_hits=True
        )
        along = ((where - o[first + ray]) * d[first + ray]).sum(1)
        np.minimum.at(true, first + ray[along >= 0], along[along >= 0])
    mine = cast_rays(mesh, o, d)
    both = np.isfinite(true) & mine.hit
    name = f"a mesh of {len(mesh.faces)} triangles"
    figure(
        f"rays of {count} on {name} on which trimesh and Carpal disagree whether they hit",
        (np.isfinite(true) != mine.hit).sum(),
        0,
    )
    figure(f"distance along rays to {name} against trimesh [m]", np.abs(true[both] - mine.distance[both]).max(), 1e-9)
    assert both.sum() > count // 4
    assert np.allclose(o[both] + mine.distance[both, None] * d[both], mine.p_WH[both], atol=1e-15)


def test_trimesh_sees_the_same(figure) -> None:
    against_trimesh(60, 40, 400, figure)


@pytest.mark.full
def test_trimesh_sees_the_same_on_a_large_mesh(figure) -> None:
    against_trimesh(250, 200, 5000, figure)


def scene() -> Scene:
    hull = ConvexMesh(np.random.default_rng(0).normal(size=(30, 3)) * 0.05)
    return (
        Scene("room").add_fixed("floor", Plane()).add_fixed("wall", Box((0.1, 4, 4)), pose=[2, 0, 0])
        .add_object("ball", Sphere(0.2), mass=1.0, pose=[1, 0, 1]).add_object("stone", hull, mass=1.0, pose=[0, 0, 1])
    )  # fmt: skip


def test_a_scene_names_what_was_met() -> None:
    room = scene()
    hits = cast_rays(room, [0, 0, 1], [[2, 0, 0], [0, 0, -3], [0.0, 1, 0.001]])
    assert [hits.names[i] for i in hits.shape] == ["stone", "stone", "stone"]  # from inside it: its own wall
    hits = cast_rays(room, [0.5, 0, 1], [[2, 0, 0], [0, 0, -3], [0.0, 1, 0.001], [-1, 0, 0]])
    assert [hits.names[i] if i >= 0 else None for i in hits.shape] == ["ball", "floor", None, "stone"]
    assert hits.distance[0] == pytest.approx(0.3) and hits.distance[1] == 1.0 and hits.distance[2] == np.inf
    assert not hits and hits.status == "3 of 4 rays meet something."
    assert np.isnan(hits.p_WH[2]).all() and hits.face[3] >= 0 and (hits.face[:3] == -1).all()
    model = room.build()
    q = np.array(model.q_home)
    q[model.q_index("ball")] += 5.0  # behind the wall
    one = cast_rays(model, [0.5, 0, 1], [1, 0, 0], q=q)
    assert one.ok and str(one) == "the ray meets 'wall' after 1.45 m." and np.allclose(one.normal_W, (-1, 0, 0))
    assert str(cast_rays(model, [0.5, 0, 1], [1, 0, 0], limit=0.1)) == "the ray meets nothing."


def test_one_at_a_time_equals_batched_bit_for_bit() -> None:
    room = scene()
    o, d = rays(np.random.default_rng(3), 40)
    o += np.array([0.5, 0.0, 1.0])
    many = cast_rays(room, o, d)
    for i in range(40):
        one = cast_rays(room, o[i], d[i])
        assert one.distance == many.distance[i] and (one.normal_W == many.normal_W[i]).all()
    alone = cast_rays(room, o, d, threads=1)
    assert (alone.distance == many.distance).all()


def test_bad_input_is_one_sentence() -> None:
    ball = Sphere(1.0)
    empty = Model.from_dh([(0, 0, 1, 0)])
    for match, call in [
        ("directions hold a zero vector", lambda: cast_rays(ball, np.zeros(3), np.zeros(3))),
        (r"directions\[0\] is nan", lambda: cast_rays(ball, np.zeros(3), [np.nan, 0, 0])),
        (r"origins\[2\] is inf", lambda: cast_rays(ball, [0, 0, np.inf], [1, 0, 0])),
        (r"origins needs shape \(\*batch, 3\)", lambda: cast_rays(ball, [0, 0], [1, 0, 0])),
        ("limit must be a distance", lambda: cast_rays(ball, np.zeros(3), [1, 0, 0], limit=-1)),
        ("q belongs to a model", lambda: cast_rays(ball, np.zeros(3), [1, 0, 0], q=[1])),
        ("X_WS belongs to a single shape", lambda: cast_rays(scene(), np.zeros(3), [1, 0, 0], X_WS=np.eye(4))),
        ("needs a Scene, a Model or a Shape; got the str", lambda: cast_rays("ball", np.zeros(3), [1, 0, 0])),
        ("has no shapes", lambda: cast_rays(empty, np.zeros(3), [1, 0, 0])),
        ("q needs shape|one configuration", lambda: cast_rays(scene(), np.zeros(3), [1, 0, 0], q=[1.0])),
    ]:  # fmt: skip
        with pytest.raises(CarpalError, match=match):
            call()
