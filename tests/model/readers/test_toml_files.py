"""TOML texts and files, and what is wrong with them, in one sentence."""

import numpy as np
import pytest

from carpal.errors import InputError, ModelError
from carpal.model.readers.toml_files import toml_data, toml_line


def test_a_text_and_a_file_hold_the_same(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text("x = 1\n")
    assert toml_data("x = 1", 100) == ({"x": 1}, "the TOML text")
    assert toml_data(file, 100) == toml_data(str(file), 100) == ({"x": 1}, f"'{file}'")


def test_wrong_sources(tmp_path):
    big, binary = tmp_path / "big.toml", tmp_path / "binary.toml"
    big.write_text("x = 1\n" * 9)
    binary.write_bytes(b"x = '\xff'")
    wrong = [
        (tmp_path / "none.toml", "cannot be read"),
        (big, "larger than"),
        (binary, "byte 5"),
        ("x = ", "is not TOML"),
    ]
    for source, told in wrong:
        with pytest.raises(ModelError, match=told):
            toml_data(source, 20)
    with pytest.raises(InputError, match="got int"):
        toml_data(7, 20)


def test_lines_are_read_back_as_they_were():
    data = {
        "a": 0.1 + 0.2,
        "b c": [1, [True, 'x\x7f"y\n']],
        "d": {"e": -0.0, "f": np.arange(2.0)},
        "n": np.float64(1e-300),
    }
    text = "\n".join(toml_line(key, value) for key, value in data.items())
    found, _ = toml_data(text, 100)
    assert found == data | {"d": {"e": 0.0, "f": [0.0, 1.0]}} and str(found["d"]["e"]) == "-0.0"
    with pytest.raises(InputError, match="only plain data"):
        toml_line("a", None)
