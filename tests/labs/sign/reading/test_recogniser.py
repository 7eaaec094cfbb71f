"""A recogniser and its file: one or many, the rule for none of these, files that were changed."""

import json

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import Reading, SimulatedSigner, read_recogniser, sign_recogniser
from carpal.labs.sign.reading.recogniser import LEAST


def test_many_signs_are_read_as_one_at_a_time_bit_for_bit():
    reader, person = sign_recogniser(), SimulatedSigner(3)
    signs = [person.frames(letter) for letter in "ABC"]
    one, many = [reader.recognise(sign) for sign in signs], reader.recognise_many(np.array(signs))
    assert all(a == b for a, b in zip(one, many, strict=True))
    assert [reading.letter for reading in many] == ["A", "B", "C"]
    assert all(abs(sum(reading.scores.values()) - 1) < 1e-12 and reading.ok for reading in many)
    assert "'A' with confidence" in str(many[0]) and "24 frames" in many[0].status


def test_the_rule_for_none_of_these():
    reader = sign_recogniser()
    p = np.zeros(27)
    p[0], p[1], p[-1] = LEAST - 0.01, 0.3, 0.21
    unsure = reader.reading(p, 1)
    assert (
        unsure.letter is None
        and not unsure
        and "none of these; the nearest is 'A' with 0.49, from 1 frame." in str(unsure)
    )
    p[0], p[-1] = 0.2, 0.5
    assert reader.reading(p, 1).letter is None and reader.reading(p, 1).confidence >= 0.5
    p[0], p[-1] = 0.6, 0.1
    assert reader.reading(p, 1) == Reading("A", 0.6, reader.reading(p, 1).scores, 1)


def test_the_file_keeps_every_bit_and_notices_changes(tmp_path):
    reader = sign_recogniser()
    path = reader.save(tmp_path / "again.npz")
    again = read_recogniser(path)
    assert again.digest == reader.digest and path.stat().st_size < 300_000
    sign = SimulatedSigner(4).frames("Q")
    assert again.recognise(sign) == reader.recognise(sign)
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["weights_0"] = arrays["weights_0"] + (
        np.arange(arrays["weights_0"].size).reshape(arrays["weights_0"].shape) == 7
    )
    np.savez_compressed(tmp_path / "changed.npz", **arrays)
    with pytest.raises(CarpalError, match="was changed after it was written"):
        read_recogniser(tmp_path / "changed.npz")


def _broken(tmp_path, name, **changes):
    reader = sign_recogniser()
    with np.load(reader.save(tmp_path / "a.npz")) as archive:
        arrays = dict(archive) | changes
    np.savez(tmp_path / f"{name}.npz", **{word: array for word, array in arrays.items() if array is not None})
    return tmp_path / f"{name}.npz"


def test_what_is_no_recogniser_gets_one_sentence(tmp_path):
    (tmp_path / "text.npz").write_text("no zip")
    for path, said in (
        (tmp_path / "text.npz", "is no recogniser that `carpal sign train` wrote"),
        (tmp_path / "none.npz", "cannot be read: No such file"),
        (_broken(tmp_path, "b", head=None), "is no recogniser"),
        (
            _broken(tmp_path, "c", head=np.frombuffer(json.dumps({"format": "x"}).encode(), np.uint8)),
            "is no recogniser",
        ),
        (_broken(tmp_path, "d", centre=np.zeros(3, np.int32)), "does not fit together"),
    ):
        with pytest.raises(CarpalError, match=said) as caught:
            read_recogniser(path)
        assert "\n" not in str(caught.value)
    (tmp_path / "big.npz").write_bytes(bytes(3_000_000))
    with pytest.raises(CarpalError, match="larger than 2 MB"):
        read_recogniser(tmp_path / "big.npz")
    with pytest.raises(CarpalError, match=r"saved as \.npz"):
        sign_recogniser().save(tmp_path / "a.zip")
    with pytest.raises(CarpalError, match="21 points"):
        sign_recogniser().recognise(np.zeros((20, 3)))
