"""Values as JSON holds them, and back."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from carpal.errors import ModelError
from carpal.model.plain_values import dict_in, list_out, number_in, number_out, numbers_in, pose_in, pose_out, text_in
from carpal.spatial import pose, rotation_about


def test_every_number_survives_json_to_the_bit() -> None:
    rng = np.random.default_rng(0)
    for value in [*rng.normal(size=50) * 10.0 ** rng.integers(-300, 300, 50), math.inf, -math.inf, -0.0]:
        back = number_in(json.loads(json.dumps(number_out(value), allow_nan=False)))
        assert np.float64(back).tobytes() == np.float64(value).tobytes()


def test_poses_and_vectors_survive_to_the_bit() -> None:
    X = pose(rotation_about(np.array([0.6, 0.0, 0.8]), 0.3), np.array([1.0, 2.0, 3.0]))
    assert pose_in(pose_out(X)).tobytes() == X.tobytes()
    assert numbers_in(list_out([1.0, 0.1]), 2).tolist() == [1.0, 0.1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: number_in(True), lambda: number_in("nan"), lambda: number_in(10**400), lambda: numbers_in([1.0], 2),
        lambda: numbers_in("ab", None), lambda: dict_in([], "model"), lambda: text_in(3), lambda: pose_in([0.0] * 11),
    ],
)  # fmt: skip
def test_anything_else_is_one_sentence(call) -> None:
    with pytest.raises(ModelError, match=r"expected|must be"):
        call()
