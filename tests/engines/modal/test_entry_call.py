"""Calls of the entries: every scratch array has its name and shape, and a direct call gives the bits of a checked one."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.entry_call import DirectEntry, accurate_work_of, scratch_shapes, work_of
from carpal.engines.modal.kernels.arrays import Work


def _named(group, prefix=""):
    for field, value in group._asdict().items():
        if hasattr(value, "_asdict"):
            yield from _named(value, f"{prefix}{field}.")
        else:
            yield prefix + field, value


def test_scratch_arrays_have_the_shapes_of_their_names():
    model, target = scenes.cross_fingers(3)
    engine = ModalEngine(model, target=target, most_contacts=7)
    for accurate, make in ((False, work_of), (True, accurate_work_of)):
        shapes = scratch_shapes(engine.tables, engine.most_contacts, accurate)
        work = make(*(np.zeros(shape) for shape in shapes))
        step = work if isinstance(work, Work) else work.step
        shape = {name: array.shape for name, array in _named(step)}
        assert len(shape) == len(shapes) - 2 * accurate
        nq, nv, trees = model.nq, model.nv, len(engine.tables.trees)
        assert shape["tables.M"] == (9, 9), "joints of the fingers, not the free cube"
        assert shape["tables.W"] == shape["tables.A"] == (28, 28)
        assert shape["tables.con"] == shape["tables.fresh"]
        assert shape["vectors.q"] == shape["vectors.before.start_q"] == shape["vectors.before.kept_q"] == (nq,)
        assert shape["vectors.v"] == shape["vectors.before.start_v"] == shape["vectors.bias"] == (nv,)
        assert shape["vectors.solving.mu"] == shape["vectors.solving.e"] == (7,)
        assert shape["vectors.by_tree.smooth"] == shape["vectors.by_tree.speeds"] == (trees,)
        assert shape["target"] == (2 * nv,)
        if accurate:
            assert work.saved.shape == shape["tables.con"]


class _Counted:
    """Stands in for a dispatcher; counts its calls."""

    def __init__(self, entry):
        self.entry, self.overloads, self.calls = entry, entry.overloads, 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.entry(*arguments)


def test_only_the_first_call_is_checked_and_all_give_the_same_bits():
    scene = scenes.thrown_ball(1.0, height=0.01)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.3, restitution=0.5))
    entry = _Counted(engine._entry.entry)
    engine.__dict__["_entry"] = DirectEntry(entry, engine.plant)
    ends = []
    for _ in range(3):
        engine._last = None
        ends.append(engine.run(scene.start(), None, 80).state)
    assert entry.calls == 1
    for end in ends[1:]:
        assert np.array_equal(end.q, ends[0].q)
        assert np.array_equal(end.memory, ends[0].memory)
