"""The kernels' tuples: few fields each, no name twice, and a length for every vector."""

from carpal.engines.modal.kernels import arrays
from carpal.engines.modal.kernels.arrays import (
    AccurateWork,
    Before,
    Bodies,
    ByTree,
    Held,
    Inputs,
    Outputs,
    Plant,
    Search,
    Solids,
    Solving,
    Tables,
    Ties,
    Vectors,
    Work,
)

PARTS = {"solids": Solids, "search": Search, "solving": Solving, "before": Before, "by_tree": ByTree}
PARTS |= {"ties": Ties, "held": Held, "bodies": Bodies}


def _flat(kind):
    return [name for field in kind._fields for name in (PARTS[field]._fields if field in PARTS else (field,))]


def test_every_vector_has_its_length():
    lengths = arrays.vector_room.py_func(7, 6, 5, 2)
    named = dict(zip(_flat(Vectors), lengths, strict=True))
    assert (named["q"], named["v"], named["x"], named["smooth"], named["mu"]) == (7, 6, 20, 2, 5)
    assert (named["start_q"], named["start_v"], named["pivots"], named["rest"]) == (7, 6, 20, 2)


def test_tuples_are_small_and_names_stand_once():
    names = [*_flat(Plant), *_flat(Tables), *_flat(Vectors)]
    assert len(set(names)) == len(names)
    for kind in (Plant, Tables, Vectors, Work, AccurateWork, Inputs, Outputs, *PARTS.values()):
        assert len(kind._fields) <= 12
        assert not set(kind._fields) & {"index", "count"}, "methods of every tuple"
