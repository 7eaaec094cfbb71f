"""Options of the planners: one frozen object that `plan`, `plan_each` and `shorten_path` take."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.planning.payload.payload import Payload
from carpal.planning.planners.path_constraint import PathConstraint
from carpal.planning.planners.search_settings import PLANNERS, SearchSettings

SPHERES = ("portfolio", "spheres", "prm_star")
NAMES = (*SPHERES, *PLANNERS)
MOST_SAMPLES = 20_000  # of a payload's search where no number is given
SBL_NEEDS_BOTH = "forward=True grows one tree in time order; SBL needs both: use 'est' or 'rrt_connect'."


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanOptions:
    """Options of `plan`, `plan_each` and `shorten_path`, checked when they are made.

    Keywords of these functions have the same names and override the fields: `plan(scene, q0, q1, options=o, margin=0.01)`.

    Args:
        planner: "portfolio" (default without a payload): RRT-Connect on spheres that cover the robot, every edge proven as it
            is made, and SBL on the exact shapes where the spheres are too coarse. "spheres" is the first of these alone,
            "prm_star" the portfolio and then cheaper paths until the budget ends; "rrt_connect", "sbl" (default with a payload)
            and "est" check the exact shapes.
        joints: the joints that move, by name or by a robot's name; by default all revolute and prismatic ones. The others
            stay where the scene starts.
        held: objects that are carried, as in `collides`.
        exclude: pairs of names that may touch, as in `collides`.
        margin: pairs at most this near [m] count as touching.
        resolution: largest step of any joint between two exact collision checks along an edge [rad, m].
        time_limit: the search ends after this time [s], without compiling; 5 s where neither this nor max_samples is given
            (with a payload 20,000 samples). The search itself is seeded: a time limit only ends it.
        max_samples: the search fails after exactly this many samples.
        forward: grow only the tree of the start, in time order ("est" and "rrt_connect").
        simplify: shorten the path (lazy Dijkstra).
        neighbourhood: step size as a fraction of the joint ranges; by default the planner's own.
        gain: shortening continues while a round saves more than this fraction.
        proof: sweep every edge of the path without gaps; where an edge collides between two checks, plan again at half the
            resolution and a millimetre further away. Paths on spheres are proven as they are found.
        sheets: accept triangle meshes with holes as sheets, such as terrain; otherwise they are an error.
        constraints: what frames keep along the whole path (`keep_direction`, `keep_on_plane`, `keep_on_line`), proven.
        payload: an object in the gripper that may turn. The path is then collision-free for every angle that it may have,
            also between checks, and ends where its angle is known. Trees grow forward in time; SBL stays lazy.

    Example:
        >>> careful = PlanOptions(planner="sbl", margin=0.005, proof=True)
        >>> carpal.plan(scene, q_start, q_goal, options=careful, seed=3)
    """

    planner: str | None = None
    joints: Sequence[str] | None = None
    held: Mapping[str, Any] | None = None
    exclude: Iterable[object] = ()
    margin: float = 0.0
    resolution: float = 0.02
    time_limit: float | None = None
    max_samples: int | None = None
    forward: bool = False
    simplify: bool = True
    neighbourhood: float | None = None
    gain: float = 0.01
    proof: bool = True
    sheets: bool = False
    constraints: Sequence[PathConstraint] = ()
    payload: Payload | None = None

    def __post_init__(self) -> None:
        """Check every field that can be checked without a scene."""
        if self.planner is not None and self.planner not in NAMES:
            raise unknown_name("planner", self.planner, NAMES)
        if self.forward and self.planner == "sbl":
            raise InputError(SBL_NEEDS_BOTH)
        most = self.max_samples
        if most is not None and (isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 1):
            raise InputError(f"max_samples must be a whole number, 1 or above; got {most!r}.")
        if self.time_limit is not None:
            positive("time_limit", self.time_limit)
        positive("resolution", self.resolution)
        positive("gain", self.gain)
        if self.neighbourhood is not None and positive("neighbourhood", self.neighbourhood) > 1:
            raise InputError(f"neighbourhood is a fraction of the joint ranges, at most 1; got {self.neighbourhood!r}.")
        if self.payload is not None and not isinstance(self.payload, Payload):
            raise InputError(f"a payload must be a Payload; got {type(self.payload).__name__}.")
        if isinstance(self.joints, str):
            object.__setattr__(self, "joints", (self.joints,))
        object.__setattr__(self, "exclude", tuple(self.exclude))
        given = self.constraints
        one = isinstance(given, PathConstraint)
        if not one and not (isinstance(given, list | tuple) and all(isinstance(c, PathConstraint) for c in given)):
            raise InputError(f"constraints must be a list of keep_direction(...) and the like; got {given!r:.80}.")
        object.__setattr__(self, "constraints", (given,) if one else tuple(given))
        if self.constraints and self.planner is not None:
            raise InputError(f"constraints have a planner of their own: leave out planner='{self.planner}'.")

    @property
    def on_spheres(self) -> bool:
        """Whether spheres are asked first; a forward tree and a payload need the exact shapes."""
        return self.planner in (None, *SPHERES) and not self.forward and self.payload is None

    def settings(self, *, with_payload: bool = False) -> SearchSettings:
        """What the search kernels on exact shapes need. With a payload, trees other than SBL's grow forward."""
        usual = "sbl" if with_payload else "rrt_connect"
        planner = usual if self.planner is None else "sbl" if self.planner in SPHERES else self.planner
        forward = bool(self.forward) or (with_payload and planner != "sbl")
        if forward and planner == "sbl":
            raise InputError(SBL_NEEDS_BOTH)
        most = MOST_SAMPLES if self.max_samples is None else self.max_samples
        return SearchSettings.of(planner, self.resolution, most, forward, self.simplify, self.neighbourhood, self.gain)


class PlanKeywords(TypedDict, total=False):
    """The fields of `PlanOptions` as keywords."""

    planner: str | None
    joints: Sequence[str] | None
    held: Mapping[str, Any] | None
    exclude: Iterable[object]
    margin: float
    resolution: float
    time_limit: float | None
    max_samples: int | None
    forward: bool
    simplify: bool
    neighbourhood: float | None
    gain: float
    proof: bool
    sheets: bool
    constraints: Sequence[PathConstraint]
    payload: Payload | None


FIELDS = tuple(field.name for field in dataclasses.fields(PlanOptions))


def merged_options(
    options: PlanOptions | None, keywords: Mapping[str, Any], accepted: Sequence[str] = FIELDS
) -> PlanOptions:
    """`options` (the defaults where None) with the keywords in place of its fields."""
    if options is not None and not isinstance(options, PlanOptions):
        raise InputError(f"options must be a PlanOptions; got {type(options).__name__}.")
    for name in keywords:
        if name not in accepted:
            raise unknown_name("option", name, accepted)
    if options is None:
        return PlanOptions(**keywords)
    return dataclasses.replace(options, **keywords) if keywords else options


def positive(name: str, value: Any) -> float:
    """A finite number above zero, or one clear sentence."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | np.floating | np.integer)
        or not 0 < value < np.inf
    ):
        raise InputError(f"{name} must be a number above zero; got {value!r:.60}.")
    return float(value)
