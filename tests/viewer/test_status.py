from types import SimpleNamespace

import pytest

from carpal.errors import InputError
from carpal.report.viser_server import closed_server
from carpal.viewer.status import StatusLine, status_html


class Client:
    def __init__(self):
        self.notes = []

    def add_notification(self, title, text, **_):
        self.notes.append(text)


@pytest.fixture(scope="module")
def line():
    with closed_server() as server:
        yield StatusLine(server)


def test_texts_stay_texts():
    assert "<script" not in status_html("bad", "<script>alert(1)</script>")


def test_a_sentence_begins_with_a_capital_and_reaches_who_asked(line):
    client = Client()
    line.say("a way was found.", "good", client)
    assert client.notes == ["A way was found."] and "A way was found." in line._status.content


def test_mistakes_become_one_sentence(line, capsys):
    def wrong(client):
        raise InputError("the seed is odd.")

    def broken(client):
        raise RuntimeError("oh")

    client = Client()
    line.guard(wrong)(SimpleNamespace(client=client))
    assert client.notes == ["The seed is odd."] and "The seed is odd." in line._status.content
    line.guard(broken)(SimpleNamespace(client=client))
    assert "The studio failed: RuntimeError: oh" in line._status.content
    assert "RuntimeError" in capsys.readouterr().err


def test_what_the_server_changes_is_no_action(line):
    done = []
    line.guard(done.append)(SimpleNamespace(client=None))
    assert done == []
    line.guard(done.append)(SimpleNamespace(client="somebody"))
    assert done == ["somebody"]
