"""rerun files: read back by rerun's own reader to the same numbers."""

from collections import defaultdict

import numpy as np
import pytest
from export_inputs import ROWS, matrix, recorded, true_poses
from rerun.chunk import RrdReader

from carpal.engines import coordinate_names
from carpal.model import NQ, NV


@pytest.fixture(scope="module")
def chunks(tmp_path_factory):
    """Entity to its record batches."""
    file = recorded().save(tmp_path_factory.mktemp("rerun") / "run.rrd")
    found = defaultdict(list)
    for chunk in RrdReader(file).stream().to_chunks():
        found[chunk.entity_path].append((chunk.is_static, chunk.to_record_batch()))
    return found


def column(chunks, entity, ending):
    """(time [s], values) of a component over time."""
    for static, batch in chunks[entity]:
        for name in batch.schema.names:
            if not static and name.endswith(ending):
                times = np.array(batch.column("time").cast("int64").to_pylist()) * 1e-9
                return times, np.array([row[0] for row in batch.column(name).to_pylist()])
    raise AssertionError(f"{entity} has no {ending}: {[batch.schema.names for _, batch in chunks[entity]]}")


def escaped(name):
    return name.replace(" ", "\\ ").replace(":", "\\:")


def test_every_coordinate_is_a_curve_of_the_same_bits(chunks):
    run = recorded()
    for letter, widths, values in (("q", NQ, run.q), ("v", NV, run.v), ("u", NV, run.u)):
        for k, name in enumerate(coordinate_names(run.model, widths)):
            times, read = column(chunks, f"/{letter}/{escaped(name)}", "scalars")
            assert np.array_equal(read, values[:, k]) and np.abs(times - run.time).max() <= 0.5e-9
    _, kinetic = column(chunks, "/energy/kinetic", "scalars")
    assert np.array_equal(kinetic, run.energy["kinetic"])


def test_bodies_move_as_they_did_to_32_bits(chunks):
    for name, X in true_poses(recorded()).items():
        _, p = column(chunks, f"/world/{name}", "translation")
        _, xyzw = column(chunks, f"/world/{name}", "quaternion")
        assert np.array_equal(p.astype(np.float32), X[:, :3, 3].astype(np.float32))
        turns = [matrix(np.roll(xyzw[k], 1)) for k in range(ROWS)]
        assert np.abs(np.array(turns) - X[:, :3, :3]).max() < 1e-6


def test_surfaces_hang_on_their_bodies(chunks):
    drawn = [entity for entity in chunks if entity.startswith("/world/") and entity.count("/") == 3]
    kinds = {entity.rsplit("\\ ", 1)[-1] for entity in drawn}
    assert kinds == {"box", "sphere", "cylinder", "capsule", "convex", "ellipsoid"}
    assert all(static for entity in drawn for static, _ in chunks[entity])


def test_contacts_and_notes_are_there(chunks):
    run = recorded()
    rows = [row for static, batch in chunks["/world/contacts"] if not static for row in batch.to_pylist()]
    points = {row["time"]: row["Arrows3D:origins"] for row in rows}
    moments = [k for k in range(ROWS) if run.contacts[k] or (k and run.contacts[k - 1])]
    assert len(points) == len(moments)
    by_time = [points[key] for key in sorted(points)]
    for k, read in zip(moments, by_time, strict=True):
        wanted = np.array([c.point for c in run.contacts[k]], np.float32).reshape(-1, 3)
        assert np.array_equal(np.array(read or [], np.float32).reshape(-1, 3), wanted)
    texts = [row["TextLog:text"][0] for static, b in chunks["/events"] if not static for row in b.to_pylist()]
    assert texts == [f"{e.name}: {e.text} ({e.value!r})" for e in run.events]
