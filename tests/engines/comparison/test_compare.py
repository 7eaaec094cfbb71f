"""`compare`: engines beside each other and beside a reference."""

import json

import pytest

from carpal.engines import benchmark_scenes, compare
from carpal.errors import InputError, UnknownNameError
from carpal.model import Plane, Scene, Sphere


@pytest.fixture(scope="module")
def sliding():
    return compare("block_on_incline_slides", ["modal", "mujoco", "penalty"], samples=50, isolated=False)


def test_engines_slide_as_the_closed_form(sliding):
    assert sliding.ok and sliding.reference.startswith("closed form")
    found = {p.b: p for p in sliding.partings if p.a == "reference"}
    assert found["modal"].distance < 1e-12 and found["modal"].time is None
    assert found["mujoco"].distance < 2e-3 and found["penalty"].distance < 5e-3
    assert {(p.a, p.b) for p in sliding.partings} >= {("modal", "mujoco"), ("modal", "penalty"), ("mujoco", "penalty")}
    modal = sliding.engines["modal"]
    assert modal.track.certified == 1.0 and modal.convergence.error < 1e-12
    assert sliding.engines["penalty"].to_dict()["penetration_m"] > 1e-6


def test_plain_data_is_json_and_the_table_has_every_engine(sliding):
    data = json.loads(json.dumps(sliding.to_dict(), allow_nan=False))
    assert data["engines"]["modal"]["reference"]["largest_distance_m"] < 1e-12
    assert data["engines"]["mujoco"]["certified_share"] is None
    assert all(name in sliding.table() for name in ("modal", "mujoco", "penalty", "reference / modal"))


def test_engines_without_contact_part_where_others_land():
    scene = Scene("drop").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.1]).add_fixed("floor", Plane())
    result = compare(scene, ["modal", "rigid"], duration=0.3, samples=60, refine=False, isolated=False)
    (parting,) = result.partings
    assert parting.time == pytest.approx((2 * 0.05 / 9.81) ** 0.5, abs=0.01) and parting.body == "ball"
    assert "part first" in result.status and result.reference == "" and result.engines["modal"].convergence is None


def test_bad_input_gets_one_sentence():
    scene = Scene("drop").add_object("ball", Sphere(0.05), mass=0.3)
    for call, says in (
        (
            lambda: compare("block_on_incline"),
            "unknown benchmark scene 'block_on_incline'; did you mean 'block_on_incline_",
        ),
        (lambda: compare(scene, ["modal", "bullet"]), "unknown engine 'bullet'"),
        (lambda: compare(scene, ["modal", "modal"]), "each once"),
        (lambda: compare(scene, ["modal"], dt={"mujoco": 1e-3}), "unknown engine in dt 'mujoco'"),
        (lambda: compare(scene, duration=float("nan")), "duration must be a number above zero"),
        (lambda: compare(scene, tolerance=0), "tolerance must be"),
        (lambda: compare(scene, samples=1), "samples must be"),
        (lambda: compare(scene, "modal"), "must be a list of names"),
        (lambda: compare(scene, ["modal"], dt=float("nan")), "dt must be"),
        (lambda: compare(scene, ["modal"], forces={"ball": float("nan")}), "force of joint 'ball' must be a finite"),
        (lambda: compare(3), "takes a Scene or the name"),
    ):
        with pytest.raises((InputError, UnknownNameError), match=says):
            call()
    assert len(benchmark_scenes()) >= 30
