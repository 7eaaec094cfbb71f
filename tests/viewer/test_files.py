import json

import pytest

from carpal.errors import InputError
from carpal.viewer.files import inside, kept_upload, listed, load_settings, recording_path, runs_below, save_settings

EVIL = [
    "../x", "..", "a/../../x", "/etc/passwd", "a/b", "..\\x", "C:\\x", ".hidden", "~/x", "x\0y", "a" * 200, "-rf", "x\ny",
]  # fmt: skip


@pytest.mark.parametrize("name", EVIL)
def test_names_that_leave_the_folder_are_refused(tmp_path, name):
    with pytest.raises(InputError, match="is refused"):
        inside(tmp_path, name, ".parquet")


def test_plain_names_get_their_ending(tmp_path):
    assert inside(tmp_path, " run_1 ", ".parquet") == tmp_path / "run_1.parquet"
    assert inside(tmp_path, "run_1.parquet", ".parquet") == tmp_path / "run_1.parquet"
    with pytest.raises(InputError, match="give a file name"):
        inside(tmp_path, "  ", ".parquet")


def test_links_do_not_lead_out(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "secret.json").write_text("{}")
    (tmp_path / "run" / "link.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(InputError, match="leads out"):
        inside(tmp_path / "run", "link", ".json")


def test_settings_survive_a_round_trip(tmp_path):
    save_settings(tmp_path / "s.json", "reach", {"target": [0.1, 0.2, 0.3]}, 7)
    assert load_settings(tmp_path / "s.json") == ("reach", {"target": [0.1, 0.2, 0.3]}, 7)
    assert listed(tmp_path, ".json") == ["s.json"]
    assert listed(tmp_path / "none", ".json") == []


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "not json", "[" * 100_000, json.dumps({"format": "carpal-settings-1", "task": 3}), "x" * 200_000],
)
def test_foreign_settings_are_one_sentence(tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(InputError, match=r"'s\.json'"):
        load_settings(tmp_path / "s.json")


def test_settings_that_cannot_be_written_are_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"'s\.json' was not written"):
        save_settings(tmp_path / "file" / "s.json", "reach", {}, 0)


def test_missing_settings_are_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"no file 's\.json'"):
        load_settings(tmp_path / "s.json")


def test_recordings_one_folder_below_are_listed_and_found(tmp_path):
    (tmp_path / "reach").mkdir()
    (tmp_path / "reach" / "recording.parquet").write_bytes(b"x")
    (tmp_path / "reach" / "report.html").write_text("x")
    (tmp_path / "evil").symlink_to("/etc")
    assert runs_below(tmp_path) == ["reach/recording.parquet"] and runs_below(tmp_path / "none") == []
    assert recording_path(tmp_path, "reach/recording.parquet") == tmp_path / "reach" / "recording.parquet"
    for wrong in ("reach/../reach/recording.parquet", "evil/passwd", "reach/report.html", "gone"):
        with pytest.raises(InputError):
            recording_path(tmp_path, wrong)


def test_uploads_are_kept_under_plain_names_only(tmp_path):
    assert kept_upload(tmp_path, "mine.urdf", b"<robot/>").read_bytes() == b"<robot/>"
    for name in ("../mine.urdf", "/etc/mine.urdf", "mine.py", "mine"):
        with pytest.raises(InputError, match="refused"):
            kept_upload(tmp_path, name, b"x")
