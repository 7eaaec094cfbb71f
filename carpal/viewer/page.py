"""A page of the studio: its server behind the gate, its address and its token; pages derive from it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Self

from carpal.report import Gate, bound_socket, start_server, stop_server
from carpal.viewer.token import TOKEN_VARIABLE, TokenGate, is_loopback, new_token
from carpal.viewer.viser_client import ClientGate


class ServedPage:
    """One server, any number of browser windows; used in a `with` it ends with it.

    Args:
        host: 127.0.0.1, or an address of this machine that others reach; then the page asks for a token. With the
            environment variable CARPAL_STUDIO_TOKEN it asks for that one, on 127.0.0.1 too.
        port: 0 takes a free one.
        label: the window's title.
        behind: what stands behind the gate, made from it; the gate alone by default.
        light: called when a browser without a graphics card opens the page; None: it is served as any other.
    """

    def __init__(
        self,
        host: str,
        port: int,
        label: str,
        behind: Callable[[Gate], Gate] = lambda gate: gate,
        light: Callable[[], None] | None = None,
    ) -> None:
        self.token = new_token() if not is_loopback(host) or TOKEN_VARIABLE in os.environ else None
        sock = bound_socket(host, port)
        self.port = sock.getsockname()[1]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.port}"
        self._server: Any = start_server(sock, ClientGate(behind(TokenGate(self.token, self.port)), light), label)

    def close(self) -> None:
        """End the server."""
        stop_server(self._server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
