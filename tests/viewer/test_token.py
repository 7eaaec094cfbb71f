import asyncio
import shutil
import socket
import urllib.error
import urllib.request

import pytest
from browser_fixtures import FLAGS
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request

from carpal.errors import InputError
from carpal.viewer import token as web_token
from carpal.viewer.studio import Studio
from carpal.viewer.token import TOKEN_VARIABLE, TokenGate, is_loopback, new_token

NAMES_THAT_LOOK_LIKE_IT = (
    "127.0.0.1.evil.com", "127.evil.com", "localhost.evil.com", "127.0.0.1.", "127.0.0", "127.0.0.256", "127.1",
)  # fmt: skip


def ask(gate, path="/", **headers):
    """None where the request passes, else the answer's status."""
    given = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    answer = asyncio.run(gate(None, Request(path, given)))
    return None if answer is None else answer.status_code


def test_loopback_answers_only_to_itself():
    gate = TokenGate(None, 8400)
    for host in ("127.0.0.1:8400", "localhost:9000", "[::1]:8400"):
        assert ask(gate, Host=host) is None
        assert ask(gate, Host=host, Upgrade="websocket", Origin=f"http://{host}") is None
    for name in ("evil.example", *NAMES_THAT_LOOK_LIKE_IT, "evil.com@127.0.0.1", "[127.0.0.1", "[::1].evil.com"):
        host = f"{name}:8400"
        assert ask(gate, Host=host) == 403, name
        assert ask(gate, Host=host, Upgrade="websocket", Origin=f"http://{host}") == 403, name
    assert ask(gate) == 403
    assert ask(gate, Host="127.0.0.1:8400", Upgrade="websocket", Origin="null") == 403
    assert ask(gate, Host="127.0.0.1:8400", Upgrade="websocket", Origin="http://evil.example") == 403
    assert ask(gate, Host="127.0.0.1:8400", Upgrade="WebSocket", Origin="http://127.0.0.1:9999") == 403


def test_the_token_opens_and_nothing_else_does(monkeypatch):
    monkeypatch.setattr(web_token, "WAIT_AFTER_WRONG", 0.0)
    gate = TokenGate("right token", 8400)
    host = "10.0.0.5:8400"
    page = asyncio.run(gate(None, Request("/", Headers({"Host": host}))))
    assert page.status_code == 200 and b"needs its token" in page.body
    assert ask(gate, Host=host, Upgrade="websocket", Origin=f"http://{host}") == 403
    for wrong in ("", "right", "right token ", "wrong"):
        assert ask(gate, "/token", Host=host, X_Carpal_Token=wrong) == 403
        assert ask(gate, Host=host, Upgrade="websocket", Cookie=f"carpal_studio_8400={wrong}") == 403
    right = asyncio.run(gate(None, Request("/token", Headers({"Host": host, "X-Carpal-Token": "right%20token"}))))
    assert right.status_code == 200
    cookie = right.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "right" not in cookie
    given = cookie.split(";")[0]
    assert ask(gate, Host=host, Cookie=f"other=1; {given}") is None
    assert ask(gate, Host=host, Cookie=given, Upgrade="websocket", Origin=f"http://{host}") is None
    assert ask(gate, Host=host, Cookie=given, Upgrade="websocket", Origin="http://evil.example") == 403
    assert ask(TokenGate("right token", 8400), Host=host, Cookie=given, Upgrade="websocket") == 403


def test_tokens_are_long(monkeypatch):
    assert len(new_token()) >= 20 and new_token() != new_token()
    monkeypatch.setenv(TOKEN_VARIABLE, "short")
    with pytest.raises(InputError, match="at least 12"):
        new_token()


def test_what_only_this_machine_reaches():
    assert is_loopback("127.0.0.1") and is_loopback("localhost") and is_loopback("::1")
    assert is_loopback("127.3.2.1")
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.2", "::", "", *NAMES_THAT_LOOK_LIKE_IT)))


def test_another_address_serves_the_question_only(tmp_path):
    from websockets.sync.client import connect

    with Studio(tmp_path, host="0.0.0.0", port=0, task="reach") as studio:
        assert studio.token and len(studio.token) >= 20
        page = urllib.request.urlopen(f"http://127.0.0.1:{studio.port}/index.html", timeout=30).read().decode()
        assert "needs its token" in page and "viser" not in page.lower()
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://127.0.0.1:{studio.port}", subprotocols=["viser-v1.1.1"])
        wrong = urllib.request.Request(f"http://127.0.0.1:{studio.port}/token", headers={"X-Carpal-Token": "no"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(wrong, timeout=30)


def test_a_page_and_its_web_socket_are_served_to_loopback_names_only(tmp_path):
    from http.client import HTTPConnection

    from websockets.sync.client import connect

    with Studio(tmp_path, port=0, task="reach") as studio:
        for name, status in (("127.0.0.1", 200), ("localhost", 200), ("127.0.0.1.evil.com", 403)):
            asked = HTTPConnection("127.0.0.1", studio.port, timeout=30)
            asked.request("GET", "/", headers={"Host": f"{name}:{studio.port}"})
            assert asked.getresponse().status == status, name
            asked.close()
        evil = f"127.0.0.1.evil.com:{studio.port}"
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{evil}", sock=_to(studio.port), origin=f"http://{evil}", subprotocols=["viser-v1.1.1"])
        own = f"127.0.0.1:{studio.port}"
        connect(f"ws://{own}", origin=f"http://{own}", subprotocols=["viser-v1.1.1"]).close()


def _to(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def test_chromium_under_a_rebound_name_sees_neither_page_nor_web_socket(tmp_path):
    from playwright.sync_api import sync_playwright

    found = next(path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path)
    rule = "--host-resolver-rules=MAP 127.0.0.1.evil.com 127.0.0.1"
    with Studio(tmp_path, port=0, task="reach") as studio, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=[*FLAGS, rule], timeout=120_000)
        page = chromium.new_page()
        page.set_default_timeout(120_000)
        for name, opened in (("127.0.0.1.evil.com", False), ("127.0.0.1", True)):
            answer = page.goto(f"http://{name}:{studio.port}/", wait_until="commit")
            assert answer.status == (200 if opened else 403)
            assert ("viser" in page.content().lower()) == opened
            assert page.evaluate(OPENS_WEB_SOCKET) == opened, name
        chromium.close()


OPENS_WEB_SOCKET = """() => new Promise((found) => {
  const line = new WebSocket(`ws://${location.host}/`, "viser-v1.1.1");
  line.onopen = () => { line.close(); found(true); };
  line.onerror = () => found(false);
})"""
