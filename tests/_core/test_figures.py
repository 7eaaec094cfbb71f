import pytest

from carpal._core.figures import new_figure, written
from carpal.errors import InputError


def test_a_figure_shows_itself_and_is_written(tmp_path):
    figure = new_figure(2, 1)
    figure.subplots().plot([0, 1], [0, 1])
    assert written(figure, None) is figure
    assert written(figure, tmp_path / "a" / "b.png") is figure
    assert (tmp_path / "a" / "b.png").read_bytes()[:4] == figure._repr_png_()[:4] == b"\x89PNG"
    with pytest.raises(InputError, match="was not written"):
        written(figure, tmp_path / "b.nothing")
