"""Fields, buttons and tables of the pick-up page, in the order of Leutenegger's workflow (2008, B.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.perception import MarkPose
from carpal.spatial import Array
from carpal.viewer import BLUE, COLOURS, StatusLine

PACES = {"real time": 1.0, "10 times": 10.0, "50 times": 50.0, "200 times": 200.0, "as fast as possible": 0.0}
GREY = ' style="color:#4a5568"'
TURNS = ("roll", "pitch", "yaw")
JOINTS = ("waist", "shoulder", "elbow", "twist", "wrist")


class RetrievePanel(StatusLine):
    """Everything on the page beside images and scene.

    Args:
        server: a viser server.
        actions: what each button and field does, by its name in lower case; called with the viser event's client.
        planners: to choose from.
        limits: (5, 2) of the joints [rad].
        opening: largest opening of the gripper [m].
    """

    def __init__(
        self,
        server: Any,
        actions: dict[str, Callable[[Any], None]],
        planners: tuple[str, ...],
        limits: Array,
        opening: float,
    ) -> None:
        gui = server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BLUE)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(330)
        cameras = gui.add_panel()
        with cameras.add_tab("Cameras"):
            gui.add_html(
                '<iframe id="carpal-cameras" src="/cameras" title="Stereo cameras" '
                'style="border:0;width:100%;height:calc(100vh - 82px);display:block"></iframe>'
            )
        cameras.dock_left()
        cameras.set_width(500)
        super().__init__(server)
        self._gui, self._actions = gui, actions
        self._stages = gui.add_html("")
        self._pairs = gui.add_html(pairs_html([]))
        with gui.add_folder("1  Images"):
            self.place = gui.add_vector3(
                "relay: x, y [m], yaw [deg]", (0.36, 0.35, -71.0), step=0.01,
                hint="Where the simulated relay stands, and where its flap with the knob points.",
            )  # fmt: skip
            self.seed = gui.add_number("seed", 0, min=0, step=1, hint="Of noise, joint offsets and friction.")
            self._button("NEW IMAGES", None, "CAMERA")
        with gui.add_folder("2  Marks"):
            self._button("TRY AGAIN", None, "ERASER")
            self._button("FIND MARKS", None, "SEARCH")
            self.centre = gui.add_checkbox("centre clicks", True, hint="A click near a bright spot means its centre.")
            self.noise = gui.add_number(
                "they are good to [px]", 0.2, min=0.05, max=5.0, step=0.05, hint="Deviation of each coordinate."
            )
            self._button("CALCULATE", "blue", "CALCULATOR")
            self._pose = gui.add_html(pose_html(None))
        with gui.add_folder("3  Plan"):
            self.planner = gui.add_dropdown("planner", planners, initial_value=planners[0])
            self.plan = self._button("PLAN", "blue", "ROUTE")
            self.motion = gui.add_dropdown("motion", ("planned",), initial_value="planned", disabled=True)
            self.along = gui.add_slider("along it [%]", 0.0, 100.0, 0.1, 0.0, disabled=True)
        with gui.add_folder("4  Execution"):
            self.pace = gui.add_dropdown("pace", tuple(PACES), initial_value="10 times")
            self.execute = self._button("EXECUTE", "green", "PLAYER_PLAY", disabled=True)
            self.stop = self._button("STOP", "red", "PLAYER_STOP", disabled=True)
        with gui.add_folder("Joints by hand", expand_by_default=False):
            self.by_hand = gui.add_checkbox(
                "by hand", False, hint="The sliders move the drawn arm; nothing is executed."
            )
            degrees = np.degrees(limits)
            self.joints = [
                gui.add_slider(f"{name} [deg]", math.floor(low), math.ceil(high), 0.5, 0.0)
                for name, (low, high) in zip(JOINTS, degrees, strict=True)
            ]
            self.opening = gui.add_slider("opening [mm]", 0.0, 1000 * opening, 0.5, 35.0)
        for name, handle in (
            ("centre", self.centre),
            ("motion", self.motion),
            ("along", self.along),
            ("pace", self.pace),
            ("by hand", self.by_hand),
        ):
            handle.on_update(self._guarded(name))
        for slider in (*self.joints, self.opening):
            slider.on_update(self._guarded("by hand"))

    def _button(self, label: str, color: Any = None, icon: str | None = None, *, disabled: bool = False) -> Any:
        import viser

        shape = None if icon is None else getattr(viser.Icon, icon)
        button = self._gui.add_button(label, color=color, icon=shape, disabled=disabled)
        button.on_click(self._guarded(label.lower()))
        return button

    def _guarded(self, name: str) -> Callable[[Any], None]:
        return self.guard(lambda client: self._actions[name](client))

    def relay(self) -> tuple[float, float, float]:
        """x, y [m] and yaw [rad] of the simulated relay, as the fields say."""
        names = ("x", "y", "yaw")
        x, y, yaw = (number(value, f"relay's {name}") for value, name in zip(self.place.value, names, strict=True))
        return x, y, math.radians(yaw)

    def show_pose(self, pose: MarkPose | None) -> None:
        """The table of a calculated pose."""
        self._pose.content = pose_html(pose)

    def show_stages(self, stages: Sequence[str], now: str, done: Sequence[tuple[str, bool, str]], share: float) -> None:
        """The table of stages."""
        self._stages.content = stages_html(stages, now, done, share)

    def show_pairs(self, pairs: list[tuple[str, str]]) -> None:
        """The colliding pairs."""
        self._pairs.content = pairs_html(pairs)

    def enable(self, **useful: bool) -> None:
        """Which of plan, execute, stop, along and motion make sense now."""
        for name, wanted in useful.items():
            handle = getattr(self, name)
            if handle.disabled == wanted:
                handle.disabled = not wanted


def number(value: Any, what: str) -> float:
    """A finite number from a field of the page, which may be empty."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise InputError(f"the {what} must be a number; got {str(value)[:60]!r}.")
    return found


def roll_pitch_yaw(R: Array) -> tuple[float, float, float]:
    """Of a rotation (3, 3): turns about the fixed x, y and z axes, in this order [rad]."""
    pitch = math.asin(float(np.clip(-R[2, 0], -1.0, 1.0)))
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def pose_html(pose: MarkPose | None) -> str:
    """A calculated pose with what it is known to."""
    if pose is None:
        return (
            '<div id="carpal-pose" style="margin:.2em 1em .6em;font-size:.8em;color:#718096">not calculated yet</div>'
        )
    place, turn = pose.X_WO[:3, 3], np.degrees(roll_pitch_yaw(pose.X_WO[:3, :3]))
    spread = np.sqrt(np.diag(pose.covariance))
    rows = [
        (f"{axis} [mm]", f"{1e3 * place[i]:.1f}", f"± {1e3 * spread[i]:.1f}",
         f"{angle} [deg]", f"{turn[i]:.2f}", f"± {math.degrees(spread[3 + i]):.2f}")
        for i, (axis, angle) in enumerate(zip("xyz", TURNS, strict=True))
    ]  # fmt: skip
    cells = "".join(
        "<tr>" + "".join(f"<td{GREY if k % 3 == 0 else ''}>{text}</td>" for k, text in enumerate(row)) + "</tr>"
        for row in rows
    )
    colour = COLOURS["good" if pose else "bad"]
    return (
        f'<div id="carpal-pose" style="margin:.2em 1em .6em;font-size:.76em;border-left:3px solid {colour};padding-left:.4em">'
        f'<table style="border-spacing:.35em .1em;text-align:left;white-space:nowrap">{cells}</table>'
        f'<span style="color:#4a5568">pixel errors {float(pose.pixel_error):.2f} px</span></div>'
    )


def stages_html(stages: Sequence[str], now: str, done: Sequence[tuple[str, bool, str]], share: float = 0.0) -> str:
    """The stages of a cycle: done, under way, to come; text is escaped."""
    lines = []
    reported = {name: (ok, status) for name, ok, status in done}
    for name in [*stages, *(name for name in reported if name not in stages)]:
        if name == now:
            sign, colour, more = "▶", COLOURS["busy"], ""
        elif name in reported:
            ok, more = reported[name]
            sign, colour = ("✓", COLOURS["good"]) if ok else ("✗", COLOURS["bad"])
        else:
            sign, colour, more = "·", "#a0aec0", ""
        lines.append(
            f'<div title="{escape(more, quote=True)}"><span style="color:{colour};display:inline-block;width:1.15em">'
            f"{sign}</span>{escape(name)}</div>"
        )
    bar = (
        f'<div style="height:4px;background:#e2e8f0;border-radius:2px;margin:.4em 0"><div style="height:4px;border-radius:2px;'
        f'width:{100 * min(max(share, 0.0), 1.0):.1f}%;background:{COLOURS["busy"]}"></div></div>'
    )
    return (
        f'<div id="carpal-stages" style="margin:.2em 1em .6em;font-size:.8em;color:#4a5568">{bar}'
        f'<div style="columns:4;column-gap:.3em">{"".join(lines)}</div></div>'
    )


def pairs_html(pairs: list[tuple[str, str]]) -> str:
    """Table of the colliding pairs."""
    if not pairs:
        return '<div id="carpal-pairs" style="margin:.2em 1em .6em;font-size:.8em;color:#718096">nothing touches</div>'
    rows = "".join(f"<div>{escape(a)} – {escape(b)}</div>" for a, b in pairs)
    return (
        f'<div id="carpal-pairs" style="margin:.2em 1em .6em;font-size:.8em;color:{COLOURS["bad"]}">'
        f"<b>touching:</b>{rows}</div>"
    )
