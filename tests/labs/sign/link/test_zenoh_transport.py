"""Messages over Zenoh on this machine: eight programs, latency, kill -9, a router, TLS, hostile peers, ports in use."""

import json
import os
import signal
import socket
import subprocess
import time
from contextlib import ExitStack

import pytest
from link_network import FaultyLine
from link_processes import TOKEN, start_receiver

from carpal.errors import InputError
from carpal.labs.sign import LinkReceiver, LinkSender, LoggingPlayer, TlsFiles, ZenohTransport
from carpal.labs.sign.link.zenoh_transport import is_local

TEXT = "NEL MEZZO DEL CAMMIN DI NOSTRA VITA "
pytestmark = pytest.mark.xdist_group("link")


def free_address(kind="tcp"):
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return f"{kind}/127.0.0.1:{there.getsockname()[1]}"


def to_programs(count, letters, pace, tmp_path):
    """Send a text to so many receivers, each a program of its own: what they tell."""
    address, text = free_address(), (TEXT * (letters // len(TEXT) + 1))[:letters]
    with ZenohTransport("test", listen=[address]) as line, LinkSender(line, TOKEN, room="test").start() as sender:
        programs = [start_receiver(address, f"r{i}", tmp_path) for i in range(count)]
        assert sender.wait_for(count, 120)
        time.sleep(1.0)  # nine programs that start are a load of their own
        result = sender.send(text, pace=pace)
        reports = [json.loads(program.communicate(timeout=60)[0]) for program in programs]
    assert result, result
    return text, reports


def test_two_programs(tmp_path):
    text, reports = to_programs(2, 200, 0.002, tmp_path)
    assert all(row["ok"] and row["text"] == row["ordered"] == text for row in reports)


@pytest.mark.full
def test_eight_programs_ten_thousand_letters(tmp_path, figure):
    text, reports = to_programs(8, 10_000, 0.005, tmp_path)
    lost = sum(row["text"] != text for row in reports)
    order = sum(row["ordered"] != text for row in reports)
    figure("link, loopback: 8 receivers that lost a letter of 10,000", lost, 0)
    figure("link, loopback: 8 receivers with a letter twice or out of order", order, 0)
    median = max(row["p50"] for row in reports)
    note = f"worst of 8 programs, 200 letters/s; from put to the hand-over in order; median {median:.2f} ms"
    figure("link, loopback: 99th percentile of the latency [ms]", max(row["p99"] for row in reports), 20.0, note=note)


def test_kill_9_in_the_middle_of_a_word(tmp_path, figure):
    address, text, played = free_address(), "ARRIVEDERCI", tmp_path / "hand.txt"
    with (
        ZenohTransport("test", listen=[address]) as line,
        LinkSender(line, TOKEN, room="test", patience=60).start() as sender,
    ):
        first = start_receiver(address, "hand", tmp_path, 0.05)
        assert sender.wait_for(1, 60)
        for letter in text:
            sender.put(letter)
        sender.end()
        while not played.exists() or played.read_text().count("\n") < 4:
            time.sleep(0.005)
        first.send_signal(signal.SIGKILL)
        assert first.wait() == -signal.SIGKILL
        before = played.read_text().split()[1::2]
        second = start_receiver(address, "hand", tmp_path, 0.01)
        assert sender.settled(60)
        reports = json.loads(second.communicate(timeout=60)[0])
    after = played.read_text().split()[1::2]
    assert 4 <= len(before) < len(text)
    # at most the letter that was shown and not yet written down comes again
    again = len(after) - len(text)
    figure("link, kill -9: letters shown again after the restart", again, 1)
    assert reports["ok"] and reports["text"] == text and "".join(after[len(before) :]) == text[len(before) - again :]


def test_a_hostile_peer(caplog):
    address = free_address()
    player = LoggingPlayer()
    with (
        ZenohTransport("test", listen=[address]) as line,
        ZenohTransport("test", connect=[address]) as eve,
        LinkReceiver(line, TOKEN, player, room="test").start() as receiver,
    ):
        seen = []
        eve.subscribe("answers", seen.append)
        end = time.monotonic() + 20
        while not seen and time.monotonic() < end:
            receiver.announce()
            time.sleep(0.05)
        hostile = {
            "foreign": b"hello",
            "misplaced": seen[0],
            "replayed": seen[0],
            "unauthenticated": seen[0][:-1] + b"!",
            "oversized": bytes(10_000_000),
        }
        counts = {}
        for reason, data in hostile.items():
            # the line may drop a message: hostile ones are not asked for again
            while not counts.get(reason) and time.monotonic() < end:
                eve.publish("letters", data)
                time.sleep(0.1)
                counts = receiver.refusals.counts + line.refusals.counts
    assert set(counts) == set(hostile)
    assert player.letters == [] and "10000000 bytes; 4096 are the most" in caplog.text


def talk(listening, connecting):
    """Whether a text comes from one end to the other."""
    player = LoggingPlayer()
    with (
        listening,
        connecting,
        LinkSender(listening, TOKEN, room="test").start() as sender,
        LinkReceiver(connecting, TOKEN, player, room="test").start(),
    ):
        return sender.wait_for(1, 20) and bool(sender.send("CIAO")) and player.letters == list("CIAO")


def test_a_bad_line():
    address, text, players = free_address(), (TEXT * 9)[:300], [LoggingPlayer(), LoggingPlayer()]
    with ExitStack() as stack:
        line = stack.enter_context(ZenohTransport("test", listen=[address]))
        sender = stack.enter_context(LinkSender(FaultyLine(line, 1), TOKEN, room="test").start())
        for i, player in enumerate(players):
            own = stack.enter_context(ZenohTransport("test", connect=[address]))
            stack.enter_context(LinkReceiver(FaultyLine(own, 2 + i), TOKEN, player, room="test", name=f"r{i}").start())
        assert sender.wait_for(2, 30)
        assert sender.send(text, pace=0.002)
        time.sleep(0.2)  # what is delayed has come before the line is closed
    assert all("".join(player.letters) == text for player in players)


def test_a_router():
    import zenoh

    address = free_address()
    config = zenoh.Config()
    for name, value in (("mode", "router"), ("listen/endpoints", [address]), ("scouting/multicast/enabled", False)):
        config.insert_json5(name, json.dumps(value))
    with zenoh.open(config):
        assert talk(ZenohTransport("test", router=address), ZenohTransport("test", router=address))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """An authority and a certificate for 127.0.0.1 that it signed."""
    folder = tmp_path_factory.mktemp("tls")

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority")
    openssl("req", *new, "-keyout", "end.key", "-out", "end.csr", "-subj", "/CN=127.0.0.1")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
    openssl("x509", "-req", "-in", "end.csr", *signed, "-out", "end.pem")
    return folder


def test_tls(certificates):
    address = free_address("tls")
    own = TlsFiles(str(certificates / "end.pem"), str(certificates / "end.key"))
    assert talk(
        ZenohTransport("test", listen=[address], tls=own),
        ZenohTransport("test", connect=[address], tls=TlsFiles(authority=str(certificates / "ca.pem"))),
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "needs an address"),
        ({"listen": ["tcp/0.0.0.0:7460"]}, "'tcp/0.0.0.0:7460' leaves this machine: use tls/"),
        ({"connect": ["tcp/example.org:7460"]}, "leaves this machine"),
        ({"router": "tcp/10.0.0.1:7447"}, "leaves this machine"),
        ({"connect": ["tls/example.org:7460"]}, "give --authority"),
        ({"listen": ["tls/0.0.0.0:7460"]}, "give --certificate"),
        (
            {"listen": ["tls/0.0.0.0:7460"], "tls": TlsFiles("missing.pem", "missing.key")},
            "'missing.pem' cannot be read",
        ),
        ({"listen": ["udp/127.0.0.1:1"]}, "an address is written tcp/HOST:PORT"),
        ({"listen": ["tcp/127.0.0.1:99999"]}, "an address is written"),
        ({"listen": ["tcp/127.0.0.1:7460#iface=eth0"]}, "an address is written"),
        ({"listen": ["tcp/127.0.0.1:1"], "router": "tcp/127.0.0.1:2"}, "through a router or from end to end"),
        ({"room": "a/*", "listen": ["tcp/127.0.0.1:0"]}, "a room is named by up to 64"),
    ],
)
def test_bad_addresses(options, sentence):
    with pytest.raises(InputError) as found:
        ZenohTransport(**options)
    assert sentence in str(found.value)


def test_a_port_in_use():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"tcp/127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(InputError, match=f"the address {address} is in use; choose another port"):
            ZenohTransport(listen=[address])


def test_what_is_local():
    assert all(is_local(f"tcp/{host}:1") for host in ("127.0.0.1", "127.8.0.3", "localhost", "[::1]"))
    assert not any(
        is_local(f"tls/{host}:1") for host in ("0.0.0.0", "10.0.0.1", "[::]", "localhost.evil.org", "127.evil.org")
    )
    assert os.name == "posix"
