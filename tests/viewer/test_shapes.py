"""The page of shapes in Chromium: sliders move shapes, numbers follow, mistakes are one sentence."""

import numpy as np
import pytest

from carpal.contact import shape_distance
from carpal.errors import CarpalError
from carpal.model import Sphere
from carpal.viewer.shapes import SIZES, ShapesPage, shape_of, table_html
from carpal.viewer.token import TOKEN_VARIABLE

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def shapes():
    with ShapesPage(port=0) as page:
        page._server.scene.configure_default_lights(cast_shadow=False)  # software draws them slowly
        yield page


def status(one):
    return one.page.locator("#carpal-status").inner_text()


def table(one):
    return one.page.locator("#carpal-pair").inner_text()


def choose(one, which, kind):
    one.page.get_by_role("combobox", name="shape").nth(which).click()
    one.page.locator("[role=option]:visible").filter(has_text=kind).click()


def test_sliders_move_the_shapes_and_the_numbers_follow(shapes, watch):
    one = watch(shapes.url, 900, 560)
    one.page.locator("#carpal-pair").wait_for()
    first = shapes.answer.found
    one.until(lambda: status(one) == f"Box and ellipsoid are {first.distance:.6g} m apart.", "the sentence")
    one.until(lambda: f"{first.distance:.6f}" in table(one), "the distance in the table")
    values = shapes.answer.curvature_b.values
    assert f"{values[0]:.4g}" in table(one) and f"{values[1]:.4g}" in table(one)

    canvas = one.page.locator("canvas").first
    one.until(lambda: np.ptp(one.picture(canvas).reshape(-1, 3), axis=0).max() > 0.3, "something drawn")
    before = one.picture(canvas)
    slider = one.page.get_by_role("slider").nth(3)  # x of shape A
    slider.focus()
    for _ in range(3):
        one.page.keyboard.press("Home")
    one.until(lambda: shapes.a.xyz[0].value == -1.2, "the slider to arrive")
    one.until(lambda: shapes.answer.found.distance > first.distance + 0.5, "the distance to follow")
    one.until(lambda: f"{shapes.answer.found.distance:.6g} m apart" in status(one), "the sentence to follow")
    one.until(lambda: np.abs(one.picture(canvas) - before).max() > 0.3, "another picture")
    again = shape_distance(shapes.a.shape(), shapes.a.pose(), shapes.b.shape(), shapes.b.pose())
    assert again.distance == shapes.answer.found.distance
    assert one.errors == [] and one.outside() == []


def test_other_shapes_have_other_sliders_and_two_planes_are_one_sentence(shapes, watch):
    one = watch(shapes.url, 900, 560)
    one.page.locator("#carpal-pair").wait_for()
    assert one.page.get_by_text("size x [m]").count() == 1
    choose(one, 0, "plane")
    one.until(lambda: status(one).startswith("Plane and"), "the plane")
    one.until(lambda: one.page.get_by_text("size x [m]").count() == 0, "sliders that a plane does not have to go")
    choose(one, 1, "plane")
    one.until(lambda: "Two planes have no distance" in status(one), "the refusal")
    one.until(lambda: shapes.answer is None and one.page.locator("#carpal-pair").count() == 0, "no numbers")
    assert one.errors == []


def test_every_pair_of_kinds_can_be_shown_apart_and_overlapping(shapes):
    for a in SIZES:
        for b in SIZES:
            if a == b == "plane":
                continue
            shapes.a.kind.value, shapes.b.kind.value = a, b
            for x in (0.9, 0.0):
                shapes.b.xyz[0].value = x
                shapes.draw()
                assert shapes.answer is not None and np.isfinite(shapes.answer.found.distance)
                assert "carpal-pair" in table_html(shapes.answer)


def test_the_token_is_asked_for(watch, monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "a right long token")
    with ShapesPage(port=0) as guarded:
        one = watch(guarded.url, 500, 400)
        one.page.get_by_label("Token").wait_for()
        assert one.page.locator("canvas").count() == 0


def test_unknown_kinds_are_one_sentence():
    assert shape_of("sphere", (0.1, 0.2, 0.3)) == Sphere(0.1)
    with pytest.raises(CarpalError, match="unknown shape 'cone'"):
        shape_of("cone", (0.1, 0.2, 0.3))
