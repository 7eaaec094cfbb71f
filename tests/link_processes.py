"""Programs at the ends of a line, for tests that need several of them: `python link_processes.py receive ...`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from carpal.labs.sign import LinkReceiver, LoggingPlayer, PlayedJournal, ZenohTransport

TOKEN = "a token for tests only"


class SlowPlayer(LoggingPlayer):
    """Takes its time over every letter, and writes each to a file as it ends."""

    def __init__(self, seconds: float, path: str) -> None:
        super().__init__("slow")
        self._seconds, self._path = seconds, path

    def play(self, letter: str, index: int) -> str:
        time.sleep(self._seconds)
        with open(self._path, "a") as file:
            file.write(f"{index} {letter}\n")
        return super().play(letter, index)


def start_receiver(address: str, name: str, folder: Path, seconds: float = 0.0) -> subprocess.Popen:
    """A receiver in a program of its own; it prints one JSON line for its first call and ends."""
    here = Path(__file__).resolve().parent
    env = {**os.environ, "PYTHONPATH": f"{here.parent}{os.pathsep}{here}"}
    words = [sys.executable, str(here / "link_processes.py"), address, name, str(folder), str(seconds)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env)


def receive(address: str, name: str, folder: str, seconds: str) -> None:
    player = SlowPlayer(float(seconds), f"{folder}/{name}.txt") if float(seconds) else LoggingPlayer()
    journal = PlayedJournal(f"{folder}/{name}.jsonl")
    with (
        ZenohTransport("test", connect=[address]) as line,
        LinkReceiver(line, TOKEN, player, room="test", name=name, journal=journal).start() as receiver,
    ):
        outcome = receiver.wait(600.0)
        assert outcome is not None
        time.sleep(1.0)  # the signer may not have heard that this end is through
        report = {
            "ok": outcome.ok, "text": outcome.text, "status": outcome.status, "played": len(player.letters),
            "ordered": "".join(player.letters), "p50": outcome.latency.p50_ms, "p99": outcome.latency.p99_ms,
            "largest": outcome.latency.largest_ms, "refused": dict(receiver.refusals.counts),
        }  # fmt: skip
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    receive(*sys.argv[1:])
