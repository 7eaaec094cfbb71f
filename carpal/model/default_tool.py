"""The frame that is meant where nobody names one: the tool at the end of the longest actuated chain.

1. A frame named exactly `tool`.
2. The longest chain is the one with the most actuated joints between the world and its tip. Where a model has actuators,
   the joints that they drive (through tendons too) are actuated, otherwise every revolute, prismatic and ball joint;
   joints that follow others never are; what lies beyond a loop's body is moved by the
   joints of both chains. Of equal chains the one with more joints of any kind, then the first in the file.
3. A frame of that chain whose name contains a word for tools (`TOOL_WORDS`: tcp, tool, pinch, grasp, ..., then gripper,
   hand, flange), where more than half of the chain's actuated joints move it; of a gripper the part that carries the fingers.
4. The body that carries the fingers, where more than half of the chain's actuated joints come before them.
5. The tip of the chain. This is what a hand without an arm has: the tip of its longest finger.

Frames whose names contain a word for sensors (`SENSOR_WORDS`) are taken only where nothing else is left.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carpal.model.model import Model

TOOL_WORDS = (
    "tcp", "tool", "pinch", "grasp", "grasping", "attachment", "ee", "eef", "effector", "endeffector", "gripper", "hand",
    "palm", "flange",
)  # fmt: skip
"""Words for tools, the best first; digits after a word do not count: tool0 is a tool."""
CARRIERS = ("gripper", "hand", "palm", "flange")
SENSOR_WORDS = (
    "imu", "camera", "cam", "optical", "laser", "lidar", "sensor", "rgbd", "depth", "ft", "gps", "radar", "accelerometer",
    "gyro", "com", "inertial", "inertia", "rotor", "motor", "screw", "bolt", "light", "led", "sonar", "range",
    "collision", "visual", "cover", "mount", "stim", "skin", "touch", "pressure",
)  # fmt: skip
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True)
class _Place:
    """A frame, the body that carries it, and what lies between the world and it."""

    name: str
    body: str
    actuated: int
    joints: int
    bodies: int
    order: int


def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without digits: "l_gripperTool2" gives l, gripper, tool."""
    return tuple(word.lower() for word in _WORD.findall(name))


def default_tool(model: Model) -> str:
    """The tool of a model that names none; see the rules above."""
    names = [body.name for body in model.bodies] + [frame.name for frame in model.extra_frames]
    if "tool" in names:
        return "tool"
    places, on = _places(model)
    tip = max(
        (place for place in places if not _sensor(place.name)),
        key=lambda place: (place.actuated, place.joints, _ends(place.name), place.bodies, -place.order),
        default=None,
    )
    if (
        tip is None or tip.actuated == 0
    ):  # nothing is actuated: the end of the longest chain of joints, else the last body
        tip = max(places, key=lambda place: (place.joints, place.bodies, place.order))
        return tip.name if tip.joints else model.bodies[-1].name
    chain = _chain(model, tip.body, on)
    near = {place.name: place for place in places if 2 * place.actuated > tip.actuated and on[place.body] in chain}
    branches: dict[str, int] = {}
    fingers = _actuated(model) | {coupling.follower for coupling in model.couplings}
    for body in model.bodies:
        if body.joint.name in fingers and body.parent is not None:
            branches[on[body.parent]] = branches.get(on[body.parent], 0) + 1
    outermost = next((name for name in chain if branches.get(name, 0) > 1), "")
    palm = near.get(outermost)
    least = tip.actuated - 1 if palm is None else palm.actuated
    named = [(rank, place) for place in near.values() if (rank := _rank(place, least)) is not None]
    if named:
        return min(named, key=lambda found: found[0])[1].name
    return tip.name if palm is None else palm.name


def _actuated(model: Model) -> set[str]:
    """Joints that something drives."""
    plain = {body.joint.name for body in model.bodies if body.joint.kind in ("revolute", "prismatic", "ball")}
    following = {coupling.follower for coupling in model.couplings}
    driven: set[str] = set()
    tendons = {tendon.name: tendon for tendon in model.tendons}
    for actuator in model.actuators:
        if actuator.joint is not None:
            driven.add(actuator.joint)
        elif actuator.tendon in tendons:
            driven.update(tendons[actuator.tendon].joints)
    driven &= plain
    return (driven or plain) - following


def _places(model: Model) -> tuple[list[_Place], dict[str, str]]:
    """Every frame that stands on a body, in the order of `model.frames`; and for each body the one that it is fixed to."""
    drives = _actuated(model)
    counts: dict[str | None, tuple[int, int, int]] = {None: (0, 0, 0)}
    on: dict[str, str] = {}
    places = []
    for order, body in enumerate(model.bodies):
        actuated, joints, bodies = counts[body.parent]
        moves = body.joint.kind not in ("fixed", "free")
        on[body.name] = on[body.parent] if body.joint.kind == "fixed" and body.parent is not None else body.name
        counts[body.name] = (actuated + (body.joint.name in drives), joints + moves, bodies + 1)
        places.append(_Place(body.name, body.name, *counts[body.name], order))
    for order, frame in enumerate(model.extra_frames, start=len(model.bodies)):
        if frame.body is not None:
            actuated, joints, bodies = counts[frame.body]
            places.append(_Place(frame.name, frame.body, actuated, joints, bodies + 1, order))
    return [_closed(model, place, places, on) for place in places], on


def _closed(model: Model, place: _Place, places: list[_Place], on: dict[str, str]) -> _Place:
    """A place beyond a body that a loop ties to a chain with more actuated joints: those move it too (fingertips, not rods)."""
    for loop in model.loops:
        for here, there in ((loop.body_a, loop.body_b), (loop.body_b, loop.body_a)):
            if here is not None and there is not None and place.name != here and on[here] == on[place.body]:
                other = next(found for found in places if found.name == there)
                if other.actuated > place.actuated:
                    joints = max(place.joints, other.joints)
                    place = dataclasses.replace(place, actuated=other.actuated, joints=joints)
    return place


def _chain(model: Model, body: str, on: dict[str, str]) -> list[str]:
    """The moving bodies from this one to the world, outermost first."""
    parents = {body.name: body.parent for body in model.bodies}
    out = [on[body]]
    while (above := parents[out[-1]]) is not None:
        out.append(on[above])
    return out


def _rank(place: _Place, least: int) -> tuple[int, int, int, int] | None:
    """Smaller is better; None where the name has no word for tools, or one for sensors.

    A tool's frame is the outermost of its kind; a gripper or hand is what carries the fingers (`least` actuated joints
    come before it), not one of them.
    """
    found = [TOOL_WORDS.index(word) for word in words(place.name) if word in TOOL_WORDS]
    if not found or _sensor(place.name):
        return None
    carries = TOOL_WORDS[min(found)] in CARRIERS
    if carries and place.actuated < least:
        return None
    return min(found), place.actuated if carries else -place.actuated, -place.bodies, place.order


def _sensor(name: str) -> bool:
    return any(word in SENSOR_WORDS for word in words(name))


def _ends(name: str) -> bool:
    """Whether a name says that a chain ends here."""
    return any(word in ("tip", "fingertip", "foot", "sole", "toe") for word in words(name))
