"""The benchmark scenes: data that loads, that its script writes, with references that begin where the scenes do."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from carpal.engines import benchmark_scene, benchmark_scenes
from carpal.engines.comparison import library
from carpal.engines.comparison.references.by_name import REFERENCES
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Scene

ROOT = Path(__file__).parents[3]


def test_files_entries_and_references_belong_together():
    known = benchmark_scenes()
    assert {each.file.name for each in known.values()} | {"library.toml"} == {f.name for f in library.FOLDER.iterdir()}
    assert {name for name, each in known.items() if each.quantitative} == set(REFERENCES)
    assert len(known) >= 30 and sum(each.quantitative for each in known.values()) >= 30


def test_the_script_writes_what_is_there():
    made = runpy.run_path(str(ROOT / "benchmarks" / "write_benchmark_scenes.py"))["scenes"]()
    for name, scene in made.items():
        here, there = scene.build(), benchmark_scene(name).scene().build()
        assert here.nq == there.nq and np.allclose(here.q_home, there.q_home, rtol=0, atol=1e-9), name
        assert [s.shape.kind for s in here.shapes] == [s.shape.kind for s in there.shapes], name


@pytest.mark.parametrize("name", [name for name, each in benchmark_scenes().items() if not each.extra])
def test_a_reference_begins_where_its_scene_begins(name):
    each = benchmark_scene(name)
    scene, reference = each.scene(), each.reference(np.linspace(0, 1e-3, 3))
    model = scene.build()
    assert set(each.forces) <= set(model.joint_names)
    if reference is None:
        assert each.source.startswith("none")
        return
    for body, path in reference.paths.items():
        X = fk(model, scene.start().q, body)
        point = X[:3, 3] + X[:3, :3] @ np.asarray(reference.points.get(body, np.zeros(3)))
        assert path[0] == pytest.approx(point, abs=1e-9), body
    assert reference.source == each.source and (reference.paths or reference.values)


def test_a_scene_that_needs_an_extra_says_which(monkeypatch):
    entry = library.BenchmarkScene("hand", "a hand", "none", extra="zoo")
    monkeypatch.setattr(Scene, "from_toml", staticmethod(lambda file: (_ for _ in ()).throw(InputError("no robot"))))
    with pytest.raises(InputError, match=r"needs the extra 'zoo' \(pip install carpal\[zoo\]\)"):
        entry.scene()
