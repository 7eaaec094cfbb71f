import urllib.error
import urllib.request

import pytest

from carpal.errors import InputError
from carpal.report.viser_server import bound_socket, response
from carpal.viewer.page import ServedPage
from carpal.viewer.token import TOKEN_VARIABLE


def behind(gate):
    async def answer(connection, request):
        refused = await gate(connection, request)
        if refused is None and request.path == "/more":
            return response(200, "application/octet-stream", b"\x00\xff")
        return refused

    return answer


def test_a_page_is_served_and_what_stands_behind_the_gate_too():
    with ServedPage("127.0.0.1", 0, "a page", behind) as page:
        assert page.token is None and page.url == f"http://127.0.0.1:{page.port}"
        assert b"<html" in urllib.request.urlopen(page.url, timeout=60).read()[:500]
        assert urllib.request.urlopen(f"{page.url}/more", timeout=60).read() == b"\x00\xff"
    with bound_socket("127.0.0.1", page.port) as again:  # it has ended
        assert again.getsockname()[1] == page.port


def test_the_token_stands_before_what_is_behind(monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "a right long token")
    with ServedPage("127.0.0.1", 0, "a page", behind) as page:
        assert page.token == "a right long token"
        assert b"needs its token" in urllib.request.urlopen(f"{page.url}/more", timeout=60).read()
        wrong = urllib.request.Request(f"{page.url}/token", headers={"X-Carpal-Token": "guess"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(wrong, timeout=60)


def test_a_port_in_use_is_one_sentence():
    with bound_socket("127.0.0.1", 0) as taken, pytest.raises(InputError, match="is in use"):
        ServedPage("127.0.0.1", taken.getsockname()[1], "a page")
