"""One reader for scenes, linkages and mechanisms."""

import pytest
from linkage_inputs import FOLDER, linkage

from carpal.errors import ModelError, UnknownNameError
from carpal.model import Linkage, Mechanism, Scene, read_description


def test_files_are_recognised(tmp_path):
    assert isinstance(read_description(FOLDER / "crank_slider.toml"), Linkage)
    file = tmp_path / "m.toml"
    file.write_text(linkage("crank_slider").mechanism().to_toml())
    assert isinstance(read_description(file), Mechanism)
    text = file.read_text().replace('format = "carpal-mechanism-1"\n', "")
    assert isinstance(read_description(text), Mechanism)  # its bodies tell
    assert isinstance(read_description(Scene("s").add_robot("so101_old").to_toml()), Scene)


def test_what_is_wrong_is_one_sentence():
    with pytest.raises(ModelError, match="is empty"):
        read_description("")
    with pytest.raises(UnknownNameError, match="unknown entry of the TOML text 'robots'"):
        read_description("robots = 1")
    with pytest.raises(ModelError, match="cannot be read"):
        read_description("none.toml")
