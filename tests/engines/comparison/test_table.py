"""A comparison as text."""

from carpal.engines import compare, comparison_tables
from carpal.engines.comparison.table import aligned
from carpal.model import Scene, Sphere


def test_columns_are_aligned():
    assert aligned([["a", "bb"], ["ccc", "d"]]) == ["a    bb", "ccc  d"]


def test_an_engine_that_does_not_run_has_its_row():
    scene = Scene("free").add_object("ball", Sphere(0.05), mass=0.3)
    result = compare(scene, ["rigid", "modal"], duration=0.05, samples=5, forces={"nobody": 1.0}, isolated=False)
    assert not result.ok and "refused: unknown joint in forces" in result.status
    (engines,) = comparison_tables(result)
    assert engines[2][0][:4] == ["rigid", "0.001", "refused", "-"] and "rigid: unknown joint" in result.table()
