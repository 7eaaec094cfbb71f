import socket
import urllib.error
import urllib.request

import pytest

from carpal.errors import InputError
from carpal.report import viser_server as web_server


def test_bad_addresses_are_one_sentence_each():
    with web_server.bound_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1 is in use"):
            web_server.bound_socket("127.0.0.1", port)
    with pytest.raises(InputError, match="0 to 65535; got 70000"):
        web_server.bound_socket("127.0.0.1", 70000)
    with pytest.raises(InputError, match="not an address of this machine"):
        web_server.bound_socket("no such host.invalid", 0)
    with pytest.raises(InputError, match=r"cannot open port 0 of '203\.0\.113\.1'"):
        web_server.bound_socket("203.0.113.1", 0)


def test_nobody_comes_through_a_closed_gate_and_stdout_stays_clean(capsys):
    with web_server.closed_server() as server:
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.1:{server.get_port()}/", timeout=30)
        assert server.request_share_url() is None
    assert capsys.readouterr().out == ""


def test_a_viser_that_opens_its_port_otherwise_is_refused(monkeypatch):
    import viser

    class Other:
        def __init__(self, **_):
            self.stopped = False

        def get_port(self):
            return 1

        def stop(self):
            Other.stopped = True

    monkeypatch.setattr(viser, "ViserServer", Other)
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        with pytest.raises(InputError, match="cannot guard"):
            web_server.start_server(sock, web_server.closed)
    assert Other.stopped


def test_viser_prints_nothing_in_a_notebook_either(monkeypatch):
    """In a notebook rich displays instead of printing; its console is silent while a server starts and stops."""
    import rich

    said = []

    def heard(console):
        said.extend(part.text for part in console._buffer if part.text.strip())
        console._buffer.clear()

    monkeypatch.setattr(type(rich.get_console()), "_write_buffer", heard)
    with web_server.closed_server():
        rich.print("heard")
    assert said == ["heard"]
