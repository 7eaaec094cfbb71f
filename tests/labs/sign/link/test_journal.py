"""The journal: what was played is there after any cut, finished calls stay finished, two programs cannot share it."""

import stat
from pathlib import Path

import pytest

from carpal.errors import InputError
from carpal.labs.sign.link.journal import KEPT_CALLS, PlayedJournal


def test_it_is_all_there_again(tmp_path):
    path = tmp_path / "a" / "hand.jsonl"
    journal = PlayedJournal(path)
    journal.played("c1", 0, "C")
    journal.played("c1", 1, "I", "too near.")
    journal.lost("c1", {2, 3})
    journal.finished("c0")
    journal.close()
    again = PlayedJournal(path)
    call = again.call("c1")
    assert call.letters == {0: "C"} and call.discarded == {1: "too near."} and call.lost == {2, 3}
    assert call.done == {0, 1} and not call.finished and again.call("c0").finished
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_cut_anywhere_tells_a_beginning_of_the_truth(tmp_path):
    path = tmp_path / "hand.jsonl"
    journal = PlayedJournal(path)
    for i, letter in enumerate("CIAO"):
        journal.played("c", i, letter)
    journal.close()
    whole = path.read_bytes()
    for cut in range(0, len(whole), 3):
        path.write_bytes(whole[:cut])
        found = PlayedJournal(path)
        letters = found.call("c").letters
        assert list(letters) == list(range(len(letters))) and "CIAO".startswith("".join(letters.values()))
        found.played("c", 9, "Z")
        found.close()
        again = PlayedJournal(path)
        assert again.call("c").letters == {**letters, 9: "Z"}
        again.close()


def test_two_programs_cannot_share_it(tmp_path):
    path = tmp_path / "hand.jsonl"
    first = PlayedJournal(path)
    with pytest.raises(InputError, match="another receiver uses the journal"):
        PlayedJournal(path)
    first.close()
    PlayedJournal(path).close()


def test_it_does_not_grow_for_ever(tmp_path):
    path = tmp_path / "hand.jsonl"
    journal = PlayedJournal(path)
    for n in range(3 * KEPT_CALLS):
        journal.played(f"c{n}", 0, "A")
        journal.finished(f"c{n}")
    journal.close()
    again = PlayedJournal(path)
    assert list(again.calls) == [f"c{n}" for n in range(2 * KEPT_CALLS, 3 * KEPT_CALLS)]
    assert path.read_bytes().count(b"\n") == KEPT_CALLS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_the_journal_and_not_the_call(tmp_path, caplog):
    journal = PlayedJournal(tmp_path / "hand.jsonl")
    journal._file.close()
    journal._file = open("/dev/full", "ab")  # noqa: SIM115
    for i, letter in enumerate("CIAO"):
        journal.played("c", i, letter)
    journal.finished("c")
    assert journal.call("c").letters == dict(enumerate("CIAO")) and journal.call("c").finished
    assert "is not written any more" in caplog.text and len(caplog.records) == 1


def test_in_memory_and_unwritable(tmp_path):
    journal = PlayedJournal()
    journal.played("c", 0, "A")
    journal.finished("c")
    assert journal.call("c").finished
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be opened"):
        PlayedJournal(tmp_path / "file" / "hand.jsonl")
