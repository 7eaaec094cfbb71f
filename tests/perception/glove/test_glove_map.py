"""The glove's map: Table 5.2 by hand, replaceable, unused sensors ignored, mistakes named."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.perception import SENSORS, GloveMap


def test_table_5_2(figure):
    rng = np.random.default_rng(0)
    values = dict(zip(SENSORS, rng.uniform(-30, 60, len(SENSORS)), strict=True))
    s = {
        "01": "thumb_MPJ", "02": "thumb_IJ", "03": "thumb_abduction", "10": "index_MPJ", "11": "index_PIJ",
        "20": "middle_MPJ", "21": "middle_PIJ", "23": "middle_index_abduction", "30": "ring_MPJ", "31": "ring_PIJ",
        "33": "ring_middle_abduction", "40": "pinkie_MPJ", "41": "pinkie_PIJ", "43": "pinkie_ring_abduction",
    }  # fmt: skip
    S = {key: values[name] for key, name in s.items()}
    wanted = [
        -S["03"] / 2, S["01"], S["02"], -(S["23"] - S["03"]) / 2, S["10"], S["11"], -(S["33"] - S["23"]) / 2, S["20"], S["21"],
        -(S["43"] - S["33"]) / 2, S["30"], S["31"], S["43"] / 2, S["40"], S["41"],
    ]  # fmt: skip
    glove = GloveMap.read()
    figure("glove map against Table 5.2 [rad]", np.abs(glove.targets(values) - np.radians(wanted)).max(), 1e-15)
    assert set(glove.sensors) == set(s.values())
    assert (len(SENSORS), len(glove.sensors), len(glove.joints)) == (22, 14, 15)


def test_batches_and_unused_sensors():
    glove = GloveMap.read()
    some = {name: np.arange(4.0) for name in glove.sensors}
    assert glove.targets(some).shape == (4, 15)
    assert np.array_equal(glove.targets(some | {"wrist_yaw": np.full(4, np.nan)}), glove.targets(some))


def test_another_map():
    glove = GloveMap.read("unit = 'rad'\n[joints]\na = {index_MPJ = 2.0}\nb = {}", joints=("b", "a"))
    assert np.allclose(glove.targets({"index_MPJ": 0.5}), [0.0, 1.0])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("unit = 'turn'\n[joints]", "turn"), ("x = 1\n[joints]", "x"), ("unit = 'deg'", "[joints]"),
        ("[joints]\na = {nose = 1}", "nose"), ("[joints]\na = {index_MPJ = nan}", "finite"), ("[joints]\nc = {}", "'a'"),
        ("[joints]\na = {}\nc = {}", "'c'"),
    ],
)  # fmt: skip
def test_mistakes_are_named(text, word):
    with pytest.raises(CarpalError) as caught:
        GloveMap.read(text, joints=("a",))
    assert word in str(caught.value)


def test_bad_sensors():
    glove = GloveMap.read()
    good = dict.fromkeys(glove.sensors, 1.0)
    with pytest.raises(CarpalError, match="thumb_MPJ"):
        glove.targets({k: v for k, v in good.items() if k != "thumb_MPJ"})
    with pytest.raises(CarpalError, match="ring_PIJ"):
        glove.targets(good | {"ring_PIJ": np.nan})
