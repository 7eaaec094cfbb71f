"""The page of a comparison."""

import pytest

from carpal.engines import compare
from carpal.model import Plane, Scene, Sphere
from carpal.report import write_comparison_report


@pytest.fixture(scope="module")
def result():
    scene = Scene("drop <b>").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.1]).add_fixed("floor", Plane())
    return compare(scene, ["mujoco", "rigid"], duration=0.2, samples=20, refine=False, isolated=False)


def test_the_page_holds_tables_plots_and_no_foreign_markup(result, tmp_path):
    text = write_comparison_report(result, tmp_path / "page.html").read_text()
    assert "drop &lt;b&gt;" in text and "<b>" not in text
    assert "Where they part" in text and 'data-key="apart"' in text and 'data-key="energy"' in text
    assert "shapes pass through each other" in text


def test_a_run_that_failed_has_a_page_too(tmp_path):
    scene = Scene("free").add_object("ball", Sphere(0.05), mass=0.3)
    failed = compare(scene, ["rigid"], duration=0.05, samples=5, forces={"nobody": 1.0}, isolated=False)
    assert "not all ran" in write_comparison_report(failed, tmp_path / "page.html").read_text()
