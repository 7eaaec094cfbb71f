"""A viser server behind a gate: on a socket that we bound ourselves, quiet, and never shared over the internet.

viser accepts every connection and takes the next free port when its own is in use. Both are changed at one place: while
a server starts, the function by which viser opens its socket is wrapped. Should another version of viser open it in
another way, the wrapper is not called, and the server is stopped before anybody can reach the studio.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

from carpal._core.progress import silent_console
from carpal.errors import InputError

Gate = Callable[[Any, Any], Any]
"""`(connection, request) -> response or None`, as websockets' `process_request`; a response refuses."""

_starting = threading.Lock()


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket on that address, checked; port 0 takes a free one."""
    if not 0 <= port <= 65535:
        raise InputError(f"a port is a number from 0 to 65535; got {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise InputError(f"'{host}' is not an address of this machine.") from None
    sock = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # a port that was just left is free again; on Windows it would mean sharing
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(64)
    except PermissionError:
        sock.close()
        raise InputError(f"this user may not open port {port}; use a port above 1023.") from None
    except OSError as error:
        sock.close()
        if error.errno in _IN_USE:
            raise InputError(f"port {port} of {host} is in use; choose another with --port, 0 for any.") from None
        raise InputError(f"cannot open port {port} of '{host}': {error.strerror}.") from None
    return sock


_IN_USE = {98, 48, 10048}
"""EADDRINUSE of Linux, macOS and Windows."""


def closed(_connection: Any, _request: Any) -> Any:
    """A gate that admits nobody: for scenes that are only written to a file."""
    return response(403, "text/plain; charset=utf-8", "closed")


def response(status: int, kind: str, content: str | bytes, **headers: str) -> Any:
    """An answer to an HTTP request."""
    import http

    from websockets.datastructures import Headers
    from websockets.http11 import Response

    if status not in list(http.HTTPStatus):
        raise InputError(f"{status!r:.60} is no status of HTTP.")
    body = content.encode() if isinstance(content, str) else content
    fields = Headers({
        "Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store", "Connection": "close",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    })  # fmt: skip
    for name, value in headers.items():
        fields[name.replace("_", "-")] = value
    return Response(status, http.HTTPStatus(status).phrase, fields, body)


def start_server(sock: socket.socket, gate: Gate, label: str = "carpal") -> Any:
    """A viser server on a bound socket; every request passes the gate first."""
    try:
        import viser
        import websockets.asyncio.server as opening
    except ImportError:
        raise InputError("the studio, replays and reports need viser: install the extra carpal[studio].") from None

    class Server(viser.ViserServer):
        """Without viser's share links: they would open the studio to the internet."""

        def request_share_url(self, verbose: bool = True) -> str | None:
            return None

    real = opening.serve
    used = []

    def serve(
        handler: Any, _host: Any = None, _port: Any = None, *, process_request: Any = None, **options: Any
    ) -> Any:
        used.append(True)

        async def gated(connection: Any, request: Any) -> Any:
            answer = gate(connection, request)
            if hasattr(answer, "__await__"):
                answer = await answer
            return process_request(connection, request) if answer is None else answer

        return real(handler, process_request=gated, sock=sock, **options)

    host, port = sock.getsockname()[:2]
    with _starting, quiet():
        setattr(opening, "serve", serve)  # noqa: B010 # a library's name is replaced for a moment, and put back
        try:
            server = Server(host=host, port=port, label=label, verbose=False)
        finally:
            setattr(opening, "serve", real)  # noqa: B010
    if not used or server.get_port() != port:
        stop_server(server)
        raise InputError(f"viser {viser.__version__} opens its port in a way that carpal cannot guard; use viser 1.1.")
    return server


def stop_server(server: Any) -> None:
    """Stop a server without viser's farewell."""
    with quiet():
        server.stop()


@contextlib.contextmanager
def closed_server() -> Iterator[Any]:
    """An unreachable server, to write a scene to a file."""
    server = start_server(bound_socket("127.0.0.1", 0), closed)
    try:
        yield server
    finally:
        stop_server(server)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep viser's own printing off stdout, which belongs to the command line, and out of notebooks, where it is displayed."""
    with contextlib.redirect_stdout(io.StringIO()), silent_console():
        yield
