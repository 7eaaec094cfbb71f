"""Who may open the studio: pages of this machine, or whoever gives the token that the terminal shows.

On 127.0.0.1 a request must name this machine, and a web socket must come from our own page, so that a web site open in
the same browser cannot reach in. On any other address the page first asks for the token and shows nothing else; a right
token is answered by a cookie that ends with the studio.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import os
import re
import secrets
from typing import Any
from urllib.parse import unquote

from carpal.errors import InputError
from carpal.report import response

TOKEN_VARIABLE = "CARPAL_STUDIO_TOKEN"
SHORTEST = 12
WAIT_AFTER_WRONG = 0.3
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address: a loopback address or the name "localhost"."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """The token of the environment, or a random one."""
    given = os.environ.get(TOKEN_VARIABLE)
    if given is None:
        return secrets.token_urlsafe(18)
    if len(given) < SHORTEST:
        raise InputError(f"{TOKEN_VARIABLE} must have at least {SHORTEST} letters; got {len(given)}.")
    return given


class TokenGate:
    """Lets a request pass (None) or answers it.

    Args:
        token: what the page asks for; None on 127.0.0.1.
        port: part of the cookie's name, since browsers share cookies between ports.
    """

    def __init__(self, token: str | None, port: int) -> None:
        self._token = token
        self._cookie = f"carpal_studio_{port}"
        self._session = secrets.token_urlsafe(32)

    async def __call__(self, _connection: Any, request: Any) -> Any:
        """None lets a request pass; anything else is the answer to it."""
        headers = request.headers
        host = _one(headers, "Host")
        if self._token is None and not is_loopback(_host_name(host)):
            return response(403, "text/plain; charset=utf-8", "the studio answers only as 127.0.0.1 or localhost.")
        origin = _one(headers, "Origin")
        if _one(headers, "Upgrade").lower() == "websocket" and origin and origin.partition("://")[2] != host:
            return response(403, "text/plain; charset=utf-8", "the studio answers only to its own page.")
        if self._token is None or _same(self._given_cookie(headers), self._session):
            return None
        if request.path.partition("?")[0] == "/token":
            if _same(unquote(_one(headers, "X-Carpal-Token")), self._token):
                cookie = f"{self._cookie}={self._session}; Path=/; HttpOnly; SameSite=Strict"
                return response(200, "text/plain; charset=utf-8", "right", Set_Cookie=cookie)
            await asyncio.sleep(WAIT_AFTER_WRONG)
            return response(403, "text/plain; charset=utf-8", "wrong")
        if _one(headers, "Upgrade"):
            return response(403, "text/plain; charset=utf-8", "the studio needs its token.")
        policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:"
        return response(200, "text/html; charset=utf-8", PAGE, Content_Security_Policy=policy, X_Frame_Options="DENY")

    def _given_cookie(self, headers: Any) -> str:
        for part in _one(headers, "Cookie").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._cookie:
                return value
        return ""


def _host_name(host: str) -> str:
    """The name or address of a Host field, without its port; empty where it has another form."""
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]).lower() if found else ""


def _one(headers: Any, name: str) -> str:
    values = headers.get_all(name)
    return str(values[0]) if len(values) == 1 else ""


def _same(given: str, right: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carpal studio</title><link rel="icon" href="data:,">
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f4f6f9; color: #1a202c;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
form { background: #fff; padding: 2.2rem 2.4rem; border-radius: 12px; box-shadow: 0 8px 30px rgb(26 32 44 / 10%); width: 22rem; }
h1 { font-size: 1.25rem; margin: 0 0 .3rem; } p { margin: 0 0 1.1rem; color: #4a5568; font-size: .95rem; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .75rem; border-radius: 8px; }
input { border: 1px solid #cbd5e0; } input:focus { outline: 2px solid #2b6cb0; border-color: transparent; }
button { margin-top: .8rem; border: 0; background: #2b6cb0; color: #fff; font-weight: 600; cursor: pointer; }
#answer { min-height: 1.5em; margin: .8rem 0 0; color: #c53030; }
</style></head><body>
<form id="ask"><h1>Carpal studio</h1><p>This studio needs its token. The terminal that runs it shows it.</p>
<input id="token" type="password" autocomplete="off" aria-label="Token" placeholder="Token" autofocus>
<button type="submit">Open</button><p id="answer" role="alert"></p></form>
<script>
document.getElementById("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = document.getElementById("answer");
  answer.textContent = "";
  const given = document.getElementById("token").value.trim();
  let right = false;
  try {
    right = (await fetch("/token", { headers: { "X-Carpal-Token": encodeURIComponent(given) } })).ok;
  } catch (error) {
    answer.textContent = "The studio does not answer.";
    return;
  }
  if (right) location.reload();
  else answer.textContent = "That is not the token.";
});
</script></body></html>
"""
