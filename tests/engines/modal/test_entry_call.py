"""Calls of the entries: every scratch array has its name and shape, and a direct call gives the bits of a checked one."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine
from carpal.engines.modal.entry_call import accurate_work_of, scratch_shapes, work_of
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
