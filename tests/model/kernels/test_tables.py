"""The table readers, and that their columns are the ones that `carpal.model.tables` fills."""

import numpy as np
from random_models import random_tree

from carpal.model import NQ
from carpal.model.kernels import tables
from carpal.model.tables import BODY_COLUMNS, KINDS


def test_readers_take_consecutive_numbers() -> None:
    table = np.arange(60.0).reshape(3, 20)
    assert tables.vector_at(table, 1, 2) == (22, 23, 24)
    assert tables.matrix_at(table, 2, 5) == tuple(range(45, 54))
    assert tables.symmetric_at(table, 0, 4) == tuple(range(4, 10))


def test_kinds_have_the_same_numbers_on_both_sides() -> None:
    numbers = {"fixed": tables.FIXED, "revolute": tables.REVOLUTE, "prismatic": tables.PRISMATIC}
    numbers |= {"ball": tables.BALL, "free": tables.FREE}
    assert {kind: KINDS.index(kind) for kind in NQ} == numbers


def test_columns_tell_the_builder_s_layout() -> None:
    model = random_tree(8)
    rows = model.tables.bodies
    assert rows.shape[1] == tables.BODY_COLUMNS == BODY_COLUMNS
    assert model.tables.frames.shape[1] == tables.FRAME_COLUMNS
    assert np.array_equal(rows[0, tables.GRAVITY :], model.gravity)
    assert np.isclose(rows[:, tables.MASS].sum(), sum(body.inertia.mass for body in model.bodies))
    moving = [body.joint for body in model.bodies if body.joint.kind != "fixed"]
    assert np.array_equal(rows[1:, tables.ARMATURE], [joint.armature for joint in moving])
    R = rows[1:, tables.ROTATION : tables.ROTATION + 9].reshape(-1, 3, 3)
    assert np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)).max() < 1e-14
