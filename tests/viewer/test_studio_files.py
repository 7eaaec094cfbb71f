"""Files of the studio's page: uploads, recordings of other runs, fields that hold no number."""

from types import SimpleNamespace

import pytest

import carpal
from carpal.errors import InputError
from carpal.viewer.studio import Studio
from carpal.viewer.studio_files import whole


class Client:
    """A page that only listens."""

    def add_notification(self, title, text, **_):
        self.text = text


def sent(name, content):
    """The upload button after a page sent a file."""
    return SimpleNamespace(value=SimpleNamespace(name=name, content=content))


def test_a_robot_file_and_a_recording_from_the_page(tmp_path, reached):
    with Studio(tmp_path / "runs", port=0, task="reach") as studio:
        client = Client()
        urdf = carpal.load("k10", inertia="assumed").to_urdf()
        studio.panel.upload = sent(name="mine.urdf", content=urdf.encode())
        studio._upload(client)
        assert "5 freedoms" in client.text and studio.view.model.nq == 5
        assert studio._task().options.robot.endswith("mine.urdf")
        path = reached.recording.save(tmp_path / "recording.parquet")
        studio.panel.upload = sent(name="recording.parquet", content=path.read_bytes())
        studio._upload(client)
        assert len(studio.session.recording.time) == len(reached.recording.time)
        studio.panel.upload = sent(name="evil.py", content=b"x")
        with pytest.raises(InputError, match="refused"):
            studio._upload(client)
        (studio.folder / "reach").mkdir()
        reached.recording.save(studio.folder / "reach" / "recording.parquet")
        studio._list()
        studio.panel.found.value = "reach/recording.parquet"
        studio._found(client)
        studio._load(client)
        assert "Loaded" in client.text


@pytest.mark.parametrize("value", [None, "x", float("nan"), float("inf")])
def test_an_empty_field_is_no_number(value):
    with pytest.raises(InputError, match="seed must be a whole number"):
        whole(value, "seed")
