"""Room for vectors: one length for each field."""

from carpal.engines.modal.kernels.arrays import Plant, Tables, Vectors, vector_room


def test_every_vector_has_its_length():
    lengths = vector_room.py_func(7, 6, 5, 2)
    assert len(lengths) == len(Vectors._fields)
    named = dict(zip(Vectors._fields, lengths, strict=True))
    assert (named["q"], named["v"], named["x"], named["smooth"], named["mu"]) == (7, 6, 20, 2, 5)
    assert len(set(Plant._fields) | set(Tables._fields)) == len(Plant._fields) + len(Tables._fields)
