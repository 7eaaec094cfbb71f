"""Network transport by Zenoh, peer to peer: one end listens, the others connect; or all connect to a router.

No multicast and no gossip: only the given addresses are used. On this machine plain TCP suffices, because every message is
authenticated; to other machines a link must be encrypted (TLS). Under congestion messages are dropped instead of blocking the
sender for one slow receiver; lost letters are requested again (receiver.py).
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carpal.errors import InputError
from carpal.labs.sign.link.messages import MOST_BYTES, Refused, check_names
from carpal.labs.sign.link.seal import Refusals
from carpal.labs.sign.link.transport import Handler

ADDRESS = "tcp/127.0.0.1:7460"
"""Where a signer listens and receivers connect, on this machine."""
LARGEST_FRAME = 16 * 2**20
"""Bytes that Zenoh puts together at all; between this and `MOST_BYTES` a message is refused by us, unread."""
_FORM = re.compile(r"(tcp|tls)/(\[[0-9a-fA-F:.]+\]|[^\[\]/:?#\s]+):(\d{1,5})")


def is_local(endpoint: str) -> bool:
    """Whether an endpoint, `tcp/HOST:PORT` or `tls/HOST:PORT`, stays on this machine; a malformed one is refused."""
    found = _FORM.fullmatch(endpoint)
    if found is None or int(found[3]) > 65535:
        raise InputError(f"an address is written tcp/HOST:PORT or tls/HOST:PORT; got {endpoint!r:.80}.")
    host = found[2].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class TlsFiles:
    """Files in PEM of an encrypted line.

    Args:
        certificate, key: of the end that listens.
        authority: certificate of who signed it, for the end that connects.
    """

    certificate: str = ""
    key: str = ""
    authority: str = ""


class ZenohTransport:
    """A room over Zenoh.

    Args:
        room: part of the keys under which messages are published.
        listen, connect: addresses; plain ones must be of this machine.
        router: address of a `zenohd` to go through; then neither listens nor connects elsewhere.
        tls: certificates, for addresses that begin with tls/.
        refusals: where oversized messages are counted; the endpoint's own.

    Example:
        >>> line = ZenohTransport("sign", listen=["tcp/127.0.0.1:7460"])
    """

    def __init__(
        self, room: str = "sign", *, listen: Sequence[str] = (), connect: Sequence[str] = (), router: str = "",
        tls: TlsFiles | None = None,
    ) -> None:  # fmt: skip
        check_names(room=room)
        if router and (listen or connect):
            raise InputError(
                "a line goes through a router or from end to end: give --router, or --listen and --connect."
            )
        ends = [*listen, *connect, *([router] if router else [])]
        if not ends:
            raise InputError("a line needs an address to listen on, to connect to, or of a router.")
        for end in ends:
            if not is_local(end) and not end.startswith("tls/"):
                raise InputError(f"'{end}' leaves this machine: use tls/ there, with certificates and a token.")
        self.local = all(is_local(end) for end in ends)
        self.refusals = Refusals("transport")
        self._key = f"carpal/sign/{room}"
        self._publishers: dict[str, Any] = {}
        self._session = _open(_settings(listen, [router] if router else connect, bool(router), tls or TlsFiles()), ends)

    def publish(self, topic: str, data: bytes) -> None:
        """Send bytes to everybody who subscribed."""
        import zenoh

        if topic not in self._publishers:
            self._publishers[topic] = self._session.declare_publisher(
                f"{self._key}/{topic}", congestion_control=zenoh.CongestionControl.DROP, express=True,
                priority=zenoh.Priority.REAL_TIME, reliability=zenoh.Reliability.RELIABLE,
            )  # fmt: skip
        self._publishers[topic].put(data)

    def subscribe(self, topic: str, handler: Handler) -> None:
        """Call the handler, from a thread of Zenoh's, with everything that comes."""

        def take(sample: Any) -> None:
            size = len(sample.payload)
            if size > MOST_BYTES:
                self.refusals.add(Refused("oversized", f"{size} bytes; {MOST_BYTES} are the most"))
                return
            handler(bytes(sample.payload))

        self._session.declare_subscriber(f"{self._key}/{topic}", take)

    def close(self) -> None:
        """Leave the network."""
        self._session.close()

    def __enter__(self) -> ZenohTransport:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _settings(listen: Sequence[str], connect: Sequence[str], client: bool, tls: TlsFiles) -> dict[str, Any]:
    """Zenoh's configuration; the end that connects tries again until the other one is there."""
    out: dict[str, Any] = {
        "mode": "client" if client else "peer",
        "listen/endpoints": list(listen),
        "listen/timeout_ms": 0,
        "listen/exit_on_failure": True,
        "connect/endpoints": list(connect),
        "connect/timeout_ms": -1,
        "connect/exit_on_failure": False,
        "connect/retry": {"period_init_ms": 100, "period_max_ms": 500, "period_increase_factor": 1.5},
        "scouting/multicast/enabled": False,
        "scouting/gossip/enabled": False,
        "transport/link/rx/max_message_size": LARGEST_FRAME,
    }
    if any(end.startswith("tls/") for end in listen):
        for what, given in (("certificate", tls.certificate), ("key", tls.key)):
            if not given:
                raise InputError(f"to listen on a tls/ address give --{what}, a file in PEM.")
        out["transport/link/tls/listen_certificate"] = _file(tls.certificate)
        out["transport/link/tls/listen_private_key"] = _file(tls.key)
    if any(end.startswith("tls/") for end in connect) and not tls.authority:
        raise InputError(
            "to connect to a tls/ address give --authority, the certificate of who signed the other end's."
        )
    if tls.authority:
        out["transport/link/tls/root_ca_certificate"] = _file(tls.authority)
        out["transport/link/tls/verify_name_on_connect"] = True
    return out


def _file(path: str) -> str:
    try:
        with Path(path).open("rb"):
            return str(Path(path).resolve())
    except OSError as problem:
        raise InputError(f"'{path}' cannot be read: {problem.strerror}.") from None


def _open(settings: dict[str, Any], ends: Sequence[str]) -> Any:
    try:
        import zenoh
    except ImportError:
        raise InputError("a line between programs needs Zenoh: install the extra carpal[link].") from None
    config = zenoh.Config()
    for name, value in settings.items():
        config.insert_json5(name, json.dumps(value))
    try:
        return zenoh.open(config)
    except zenoh.ZError as problem:
        reason = str(problem)
        if "already in use" in reason:
            raise InputError(f"the address {', '.join(ends)} is in use; choose another port.") from None
        raise InputError(f"the line cannot be opened at {', '.join(ends)}: {reason.split(' at /')[0][:200]}.") from None
