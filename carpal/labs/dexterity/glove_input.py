"""The glove link of a run: targets from a file or from UDP rows on loopback, fingertip wrenches sent back.

Targets are held from row to row, for a file and for a link alike, so that the rows of a link, once kept, repeat the run. A link
keeps every row: rows that come faster than the simulation runs wait for their time. With a link the run keeps real time.
"""

from __future__ import annotations

import socket
import threading
import time as clock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import InputError
from carpal.labs.dexterity.robot import FINGERS
from carpal.labs.dexterity.tip_sensors import sensed, tip_wrenches, wrench_line
from carpal.perception import GloveMap, GloveRows, parse_glove_row, read_glove_file
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.dexterity.hand_engine import HandEngine
    from carpal.labs.dexterity.options import DexterityOptions
    from carpal.labs.dexterity.scene import Setting
    from carpal.model import State

JOINTS = tuple(f"{finger}_{k}" for finger in FINGERS for k in (1, 2, 3))
HOST = "127.0.0.1"
PATIENCE = 10.0
"""How long [s] a run waits for the first row of a link."""
LARGEST_ROW = 4096


def udp_port(text: str, what: str) -> int | None:
    """The port of "udp:PORT"; None for anything else, which is then a file."""
    if not text.startswith("udp:"):
        return None
    word = text[4:]
    if not word.isdigit() or not 0 <= int(word) < 65536:
        raise InputError(f"{what} over a link is udp:PORT with a port of this machine; got '{text[:60]}'.")
    return int(word)


def check_links(options: DexterityOptions) -> None:
    """Refuse a glove that cannot be read before anything starts."""
    glove = GloveMap.read(options.glove_map or None, JOINTS)
    if options.glove and udp_port(options.glove, "glove") is None:
        read_glove_file(options.glove, glove)
    if options.feedback and not udp_port(options.feedback, "feedback"):
        raise InputError(f"feedback goes to udp:PORT on this machine; got '{options.feedback[:60]}'.")


class GloveLink:
    """Receives rows on a port of this machine and keeps every one of them.

    Args:
        port: 0 takes a free one, see `port`.
        glove: sensors to targets.
    """

    def __init__(self, port: int, glove: GloveMap) -> None:
        self._glove = glove
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        try:
            self._socket.bind((HOST, port))
        except OSError as problem:
            self._socket.close()
            raise InputError(f"the glove's port {port} cannot be opened: {problem.strerror or problem}.") from None
        self.port: int = self._socket.getsockname()[1]
        self.lines: list[str] = []
        self.times: list[float] = []
        self.targets: list[Array] = []
        self.refused: list[str] = []
        self.late = 0
        self._came = threading.Condition()
        self._open = True
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self._open:
            try:
                data = self._socket.recv(LARGEST_ROW)
            except OSError:
                return
            for line in data.decode("utf-8", "replace").splitlines():
                self._take(line)

    def _take(self, line: str) -> None:
        if not line.strip() or line.startswith("time,"):
            return
        with self._came:
            self.lines.append(line)
            try:
                stamp, targets = parse_glove_row(line, self._glove)
            except InputError as problem:
                self.refused.append(f"row {len(self.lines)}: {problem}")
                return
            if self.times and stamp <= self.times[-1]:
                self.late += 1  # kept among the lines; a row from the past moves nothing
                return
            self.times.append(stamp)
            self.targets.append(targets)
            self._came.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait for the first row; whether there is one."""
        with self._came:
            return self._came.wait_for(lambda: bool(self.times), seconds)

    def at(self, time: float) -> Array:
        """Targets of the last row that is not later than a time [s] after the first row."""
        with self._came:
            stamps = np.array(self.times)
            k = max(0, int(np.searchsorted(stamps - stamps[0], time, side="right")) - 1)
            return self.targets[k]

    def ahead(self, time: float) -> float:
        """How far the newest row is ahead of a time [s] after the first."""
        with self._came:
            return self.times[-1] - self.times[0] - time if self.times else 0.0

    def close(self) -> None:
        """Stop listening."""
        self._open = False
        self._socket.close()
        # a datagram wakes nobody who waits on a closed socket on every system: the thread is a daemon
        self._thread.join(0.2)


class GloveInput:
    """Targets of a run, and the stream of wrenches back.

    Args:
        options: `glove`, `glove_map`, `feedback`, `feedback_rate`, `wrench_noise`.
        setting: what is run; without a glove its own targets stay.
        seed: of the sensors' noise.
    """

    def __init__(self, options: DexterityOptions, setting: Setting, seed: int = 0) -> None:
        self.options, self.setting = options, setting
        glove = GloveMap.read(options.glove_map or None, JOINTS)
        port = udp_port(options.glove, "glove") if options.glove else None
        self.link = GloveLink(port, glove) if port is not None else None
        self.rows: GloveRows | None = (
            read_glove_file(options.glove, glove) if options.glove and self.link is None else None
        )
        self._back = udp_port(options.feedback, "feedback") if options.feedback else None
        self._sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM) if self._back else None
        self._rng = np.random.default_rng([seed, 11])
        self.sent, self.most_ahead = 0, 0.0
        self._begun: float | None = None

    def aim(self, time: float) -> tuple[Array, Array]:
        """Targets and rates (15 each) at a time [s]; held from row to row."""
        if self.rows is not None:
            return self.rows.at(time), np.zeros(15)
        if self.link is not None and self.link.times:
            return self.link.at(time), np.zeros(15)
        return self.setting.target(time)

    def policy(self, engine: HandEngine) -> Callable[[float, State], Array]:
        """Called before every step: keeps the pace of a link, and sends wrenches when they are due; asks for no torque."""
        nothing = np.zeros(engine.model.nv)

        def act(time: float, state: State) -> Array:
            if self.link is not None:
                self._keep_pace(time)
                self.most_ahead = max(self.most_ahead, self.link.ahead(time))
            if self._sender is not None and time + 1e-12 >= self.sent / self.options.feedback_rate:
                wrenches = tip_wrenches(engine.model, state.q, engine.contacts(state, nothing))
                line = wrench_line(time, sensed(wrenches, self.options.wrench_noise, self._rng))
                self._sender.sendto(line.encode(), (HOST, self._back or 0))
                self.sent += 1
            return nothing

        return act

    def _keep_pace(self, time: float) -> None:
        assert self.link is not None
        if self._begun is None:
            if not self.link.wait(PATIENCE):
                self.close()
                raise InputError(f"no row of the glove came to udp:{self.link.port} within {PATIENCE:g} s.")
            self._begun = clock.perf_counter() - time
        early = self._begun + time - clock.perf_counter()
        if early > 0:
            clock.sleep(early)

    def close(self) -> dict[str, Any]:
        """Close the link; what it did, as plain data: every row that came is there."""
        report: dict[str, Any] = {"wrenches_sent": self.sent}
        if self._sender is not None:
            self._sender.close()
        if self.link is not None:
            self.link.close()
            count = len(self.link.lines)
            status = f"{count} rows came, up to {self.most_ahead:.3g} s ahead of the simulation; none was lost."
            if self.link.refused or self.link.late:
                status = (
                    status[:-1] + f", {len(self.link.refused)} were refused and {self.link.late} came from the past."
                )
            report |= {
                "status": status,
                "row_count": count,
                "refused": self.link.refused[:20],
                "rows": list(self.link.lines),
            }
        elif self.rows is not None:
            report |= {"status": f"{len(self.rows.time)} rows of the file were used.", "row_count": len(self.rows.time)}
        return report
