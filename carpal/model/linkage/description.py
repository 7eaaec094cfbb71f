"""Bars, pins, slides, springs and a drive: a planar linkage as people describe it.

A bar is a set of named points in its own plane coordinates; a pin holds a point of one bar on a point of another; a
slide lets a bar travel along a straight guide of another without turning against it; the drive is one number. The bar
called `ground` stands still. A linkage lies in the x-y plane of its frame L, whose pose is chosen when it is placed, and
turns about z; angles are right-handed about z.
"""

from __future__ import annotations

import functools
import math
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.mechanism.checks import finite

if TYPE_CHECKING:
    from carpal.model.linkage.curve import DriveCurve
    from carpal.model.mechanism.mechanism import Mechanism, MechanismBody
    from carpal.model.model import Model

GROUND = "ground"
RADIUS, SPAN = 0.004, 0.01
"""Assumed half thickness of a bar and length of a pin [m], where none is given."""


@dataclass(frozen=True, eq=False)
class Bar:
    """A rigid bar (or plate) with named points.

    Args:
        name: unique; `ground` is the one that stands still.
        points: name -> (x, y) [m] in the bar's own coordinates.
        angle: rough angle [rad] of the bar against L at the start of the stroke; it chooses the assembly mode.
        mass: [kg]; needed for a mechanism and for MJCF, not for the curve. Spread over capsules between the points.
        radius: of those capsules [m].
        phalanx: whether it is one of the digit's phalanges, whose angles are the outputs.
    """

    name: str
    points: dict[str, tuple[float, float]]
    angle: float = 0.0
    mass: float | None = None
    radius: float = RADIUS
    phalanx: bool = False

    def __post_init__(self) -> None:
        what = f"of bar '{self.name}'"
        if not isinstance(self.name, str) or not self.name or "." in self.name:
            raise InputError(f"a bar needs a name without dots; got {self.name!r:.60}.")
        if not isinstance(self.points, dict) or not self.points:
            raise InputError(f"points {what} must be a table of names and (x, y); got {self.points!r:.60}.")
        points = {str(key): finite(value, (2,), f"point '{key}' {what}") for key, value in self.points.items()}
        object.__setattr__(self, "points", {key: (float(p[0]), float(p[1])) for key, p in points.items()})
        object.__setattr__(self, "angle", float(finite(self.angle, (), f"angle {what}")))
        if self.mass is not None:
            object.__setattr__(self, "mass", _above_zero(self.mass, f"mass {what}"))
        object.__setattr__(self, "radius", _above_zero(self.radius, f"radius {what}"))


@dataclass(frozen=True)
class Pin:
    """Holds point `a` ("bar.point") on point `b`. Three bars on one pin are two pins."""

    name: str
    a: str
    b: str


@dataclass(frozen=True)
class Slide:
    """Bar of `at` ("bar.point") travels along the guide from `along[0]` to `along[1]`, two points of another bar.

    `angle` [rad] is the sliding bar's x axis against the guide's direction; it never changes. `travel` [m] is the rough
    distance of `at` from `along[0]` at the start, and chooses the assembly mode.
    """

    name: str
    at: str
    along: tuple[str, str]
    angle: float = 0.0
    travel: float = 0.0


@dataclass(frozen=True)
class LinkageSpring:
    """A spring: between two bars (rest angle of b against a [rad]) or between two points (rest length [m]).

    `a` and `b` are both bars or both points; `stiffness` [N m/rad or N/m], `damping` [N m s/rad or N s/m].
    """

    name: str
    a: str
    b: str
    stiffness: float
    rest: float = 0.0
    damping: float = 0.0

    @property
    def turns(self) -> bool:
        """Whether it is a rotary spring."""
        return "." not in self.a


@dataclass(frozen=True)
class Drive:
    """The one number that moves the linkage, from `start` to `stop`.

    kind `turn`: angle [rad] of the second bar against the first, at the pin `joint` between them, a before b;
    kind `slide`: travel [m] along the slide `joint`;
    kind `push`: distance [m] between two points, `joint` is "bar.point, bar.point" (a linear actuator without bodies).
    P and D [N m/rad or N/m, and per second] are the gains of its PD control.
    """

    kind: str
    joint: str
    start: float
    stop: float
    P: float = 0.0
    D: float = 0.0


@dataclass(frozen=True, eq=False)
class Linkage:
    """A planar linkage with one drive, checked for sense when made; `curve()` finds how it moves.

    Args:
        name: for people.
        bars: with one named `ground`.
        pins, slides: what joins them.
        drive: what moves them.
        springs: do not change the curve, only forces.
        span: length of every pin [m] in a mechanism (two point joints that far apart).
    """

    name: str
    bars: tuple[Bar, ...]
    pins: tuple[Pin, ...]
    drive: Drive
    slides: tuple[Slide, ...] = ()
    springs: tuple[LinkageSpring, ...] = ()
    span: float = SPAN
    index: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        for group in ("bars", "pins", "slides", "springs"):
            object.__setattr__(self, group, tuple(getattr(self, group)))
        bars = sorted(self.bars, key=lambda bar: bar.name != GROUND)  # ground first, the others as given
        object.__setattr__(self, "bars", tuple(bars))
        object.__setattr__(self, "index", {bar.name: i for i, bar in enumerate(bars)})
        object.__setattr__(self, "span", _above_zero(self.span, f"span of linkage '{self.name}'"))
        from carpal.model.linkage.checks import check_description

        check_description(self)

    @property
    def moving(self) -> tuple[str, ...]:
        """Names of the bars that move, in order."""
        return tuple(bar.name for bar in self.bars[1:])

    @property
    def phalanges(self) -> tuple[str, ...]:
        """Names of the bars marked as phalanges."""
        return tuple(bar.name for bar in self.bars if bar.phalanx)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom by Grübler's count: 3 per moving bar, less 2 per pin and slide."""
        return 3 * (len(self.bars) - 1) - 2 * (len(self.pins) + len(self.slides))

    def point(self, place: object) -> tuple[int, tuple[float, float]]:
        """Bar index and local (x, y) [m] of "bar.point"."""
        bar, dot, label = str(place).partition(".")
        if not isinstance(place, str) or not dot:
            raise InputError(f"a place in linkage '{self.name}' is written 'bar.point'; got {place!r:.60}.")
        if bar not in self.index:
            raise unknown_name(f"bar of linkage '{self.name}'", bar, self.index)
        points = self.bars[self.index[bar]].points
        if label not in points:
            raise unknown_name(f"point of bar '{bar}'", label, points)
        return self.index[bar], points[label]

    def push_points(self) -> tuple[str, str]:
        """The two places of a push drive."""
        a, comma, b = self.drive.joint.partition(",")
        if not comma:
            raise InputError(f"a push drive's joint is 'bar.point, bar.point'; got '{self.drive.joint[:60]}'.")
        return a.strip(), b.strip()

    @property
    def unit(self) -> str:
        """Unit of the drive."""
        return "rad" if self.drive.kind == "turn" else "m"

    @functools.cached_property
    def scale(self) -> float:
        """A length [m] typical of the linkage: the longest distance between points of one bar."""
        longest = 0.0
        for bar in self.bars:
            ends = list(bar.points.values())
            longest = max(longest, *(math.dist(p, q) for p in ends for q in ends))
        return longest

    def curve(self) -> DriveCurve:
        """The exact one-freedom curve over the stroke, found once; refuses an impossible linkage with its reason."""
        return self._curve

    @functools.cached_property
    def _curve(self) -> DriveCurve:
        from carpal.model.linkage.curve import exact_curve

        return exact_curve(self)

    def model(self, X_WL: ArrayLike | None = None) -> Model:
        """The bars as a tree model with the loops cut; `curve().q(drive)` gives its configuration on the curve."""
        from carpal.model.linkage.reduced import tree_model

        return tree_model(self, X_WL)

    def mechanism(
        self, X_WL: ArrayLike | None = None, *, ground: MechanismBody | None = None, **options: Any
    ) -> Mechanism:
        """The closed loops as bodies and point joints at the start of the stroke; see `bodies.linkage_mechanism`."""
        from carpal.model.linkage.bodies import linkage_mechanism

        return linkage_mechanism(self, X_WL, ground=ground, **options)

    def mjcf(self, X_WL: ArrayLike | None = None) -> str:
        """MJCF: the tree, with `connect` equalities that close the loops; see `closed_mjcf`."""
        from carpal.model.linkage.closed_mjcf import mjcf_with_loops

        return mjcf_with_loops(self, X_WL)

    @staticmethod
    def from_toml(source: str | os.PathLike[str]) -> Linkage:
        """The linkage of a TOML text or file."""
        from carpal.model.linkage.toml_reader import read_linkage

        return read_linkage(source)


def _above_zero(value: object, what: str) -> float:
    number = finite(value, (), what)
    if number <= 0:
        raise ModelError(f"{what} must be above zero; got {float(number):g}.")
    return float(number)
