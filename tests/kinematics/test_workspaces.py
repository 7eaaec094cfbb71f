import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import sphere_of_directions, workspace, workspace_slice
from carpal.model import DHRow


def planar(low=-np.pi, high=np.pi):
    return carpal.Model.from_dh([DHRow(a=0.3, q_min=-np.pi, q_max=np.pi), DHRow(a=0.2, q_min=low, q_max=high)])


def test_area_of_a_two_link_arm():
    """The reachable set is the ring between 0.1 and 0.5 m."""
    made = workspace_slice(planar(), 0.0, span=(-0.6, 0.6, -0.6, 0.6), step=0.02)
    assert made.area == pytest.approx(np.pi * (0.5**2 - 0.1**2), rel=0.03)
    radius = np.linalg.norm(made.points, axis=-1)
    inner = (radius > 0.11) & (radius < 0.49)
    assert made.reachable[inner].all()
    assert not made.reachable[(radius > 0.501) | (radius < 0.099)].any()


def test_volume_of_a_spherical_arm():
    """Waist, shoulder and a slide from 0.2 to 0.5 m: a shell without joint limits that matter."""
    rows = [
        DHRow(alpha=-np.pi / 2, q_min=-np.pi, q_max=np.pi),
        DHRow(alpha=np.pi / 2, q_min=-np.pi, q_max=np.pi),
        DHRow(kind="prismatic", q_min=0.2, q_max=0.5),
    ]
    cloud = workspace(carpal.Model.from_dh(rows), count=200_000, cell=0.05)
    shell = 4 / 3 * np.pi * (0.5**3 - 0.2**3)
    assert shell < cloud.volume < 1.6 * shell  # cells that the surface cuts count whole
    assert cloud.missed < 0.001
    hits, best = cloud.slice(2, 0.0)
    assert hits.sum() > 0
    assert best.max() > 0


def test_same_seed_same_cloud():
    model = carpal.load("so101_old")
    a, b = workspace(model, count=2000, seed=3), workspace(model, count=2000, seed=3)
    assert np.array_equal(a.points, b.points)
    assert str(a).startswith("at least ")
    assert not a.ok  # two thousand samples do not fill the cells


def test_dexterous_set_is_inside_the_reachable_one():
    model = carpal.load("srs7")
    options = {"span": (0.1, 0.7, -0.2, 0.2), "step": 0.1}
    every = workspace_slice(model, 0.4, directions=sphere_of_directions(6), **options)
    some = workspace_slice(model, 0.4, **options)
    assert every.dexterous_area <= every.area <= some.area + 1e-12
    assert ((every.share == 1) <= some.reachable).all()


def test_the_two_mountings_of_leutenegger(figure):
    area = {}
    for mounting in ("upside_down", "sideways"):
        model = carpal.load("k10", mounting=mounting)
        made = workspace_slice(model, 0.2, direction=(0, 0, -1), span=(-0.8, 0.8, -0.8, 0.8), step=0.04)
        area[mounting] = made.area
        q = made.q[made.reachable]
        assert np.allclose(carpal.fk(model, q)[:, 2, 0], -1, atol=1e-6), "the gripper points straight down"
    figure(
        "Leutenegger (2008): upside-down over sideways pick-up area",
        area["upside_down"] / area["sideways"],
        2.0,
        at_least=True,
    )


def test_directions_are_even():
    d = sphere_of_directions(200)
    assert np.allclose(np.linalg.norm(d, axis=1), 1)
    assert np.abs(d.mean(0)).max() < 0.01


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda m: workspace(m, count=0), "at least one sample"),
        (lambda m: workspace(m, count=10, cell=-1.0), "cell must be above zero"),
        (lambda m: workspace(m, count=100).slice(2, 99.0), "no cell at z = 99"),
        (lambda m: workspace_slice(m, 0.0, step=0.0), "step > 0"),
        (lambda m: workspace_slice(m, 0.0, normal=3), "normal 0, 1 or 2"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call(carpal.load("so101_old"))
