import pytest

from carpal.errors import InputError, ModelError
from carpal.model import file_text


def test_text_comes_without_a_mark(tmp_path):
    (tmp_path / "a").write_bytes("\ufeffé\n".encode())
    assert file_text(tmp_path / "a", "a", 10) == "é\n"


def test_what_cannot_be_read_is_one_sentence(tmp_path):
    (tmp_path / "a").write_bytes(b"ab\xff")
    with pytest.raises(ModelError, match="the file is not UTF-8 text: byte 2 cannot be read"):
        file_text(tmp_path / "a", "the file", 10, ModelError)
    with pytest.raises(InputError, match="the file is larger than 0 MB"):
        file_text(tmp_path / "a", "the file", 2)
    with pytest.raises(InputError, match="the file cannot be read: No such file"):
        file_text(tmp_path / "b", "the file", 10)
