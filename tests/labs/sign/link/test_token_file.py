"""The token: made once with mode 0600, found again, refused where others may read it."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from carpal.errors import InputError
from carpal.labs.sign.link.token_file import default_token_file, link_token


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("CARPAL_LINK_TOKEN", raising=False)


def test_made_once_by_whoever_comes_first():
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: link_token(), range(32)))
    assert len(found) == 1 and len(found.pop()) >= 32
    assert stat.S_IMODE(default_token_file().stat().st_mode) == 0o600
    assert [path.name for path in default_token_file().parent.iterdir()] == ["sign_link_token"]


def test_the_environment_and_a_file_of_ones_own(tmp_path, monkeypatch):
    own = tmp_path / "mine"
    own.write_text("sixteen letters and more\n")
    own.chmod(0o600)
    assert link_token(own) == "sixteen letters and more"
    monkeypatch.setenv("CARPAL_LINK_TOKEN", "from the environment")
    assert link_token() == "from the environment" and link_token(own) == "sixteen letters and more"


def test_refusals(tmp_path, monkeypatch):
    own = tmp_path / "mine"
    own.write_text("sixteen letters and more\n")
    own.chmod(0o644)
    with pytest.raises(InputError, match=r"may be read by others \(mode 0644\).*chmod 600"):
        link_token(own)
    own.chmod(0o600)
    own.write_text("short")
    with pytest.raises(InputError, match="16 to 1024 characters; got 5"):
        link_token(own)
    own.write_bytes(b"\xff" * 40)
    with pytest.raises(InputError, match="is not text"):
        link_token(own)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        link_token(tmp_path / "missing")
    with pytest.raises(InputError, match="needs a token that both ends have"):
        link_token(loopback=False)
    monkeypatch.setenv("CARPAL_LINK_TOKEN", "short")
    with pytest.raises(InputError, match="CARPAL_LINK_TOKEN must have"):
        link_token()
    if os.getuid():
        monkeypatch.delenv("CARPAL_LINK_TOKEN")
        monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
        with pytest.raises(InputError, match="cannot be made"):
            link_token()
