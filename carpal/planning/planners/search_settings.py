"""The numbers that steer a search, as the kernels read them: step sizes, limits of the search, joint costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.model import Coupling, Model
from carpal.planning.planners.kernels.run import EST, RRT, SBL
from carpal.planning.planners.kernels.search_state import NUMBERS
from carpal.planning.planners.planned_ties import follower_ranges
from carpal.spatial import Array

PLANNERS = {"sbl": SBL, "est": EST, "rrt_connect": RRT}
# of each planner: neighbourhood and longest extension, as fractions of the joint ranges
STEP_SIZES = {"sbl": (0.3, 0.3), "est": (0.4, 0.6), "rrt_connect": (0.2, 0.2)}


@dataclass(frozen=True)
class SearchSettings:
    """Settings of one search; made by `PlanOptions.settings`, which checks them."""

    planner: str
    resolution: float
    max_samples: int
    forward: bool
    simplify: bool
    neighbourhood: float
    extension: float
    gain: float

    @staticmethod
    def of(
        planner: str,
        resolution: float = 0.02,
        max_samples: int = 20_000,
        forward: bool = False,
        simplify: bool = True,
        neighbourhood: float | None = None,
        gain: float = 0.01,
    ) -> SearchSettings:
        """With the planner's own step sizes, scaled to `neighbourhood` where it is given."""
        near, extend = STEP_SIZES[planner]
        if neighbourhood is not None:
            scale = float(neighbourhood) / near
            near, extend = scale * near, min(1.0, scale * extend)
        return SearchSettings(
            planner, float(resolution), int(max_samples), bool(forward), bool(simplify), near, extend, float(gain)
        )

    @property
    def numbers(self) -> Array:
        """As the kernels read them."""
        out = np.zeros(NUMBERS)
        out[:] = (
            self.resolution, self.neighbourhood, self.max_samples, self.extension, 1.0 if self.forward else 2.0,
            float(self.simplify), self.gain,
        )  # fmt: skip
        return out


def search_limits(model: Model, ends: Array, couplings: tuple[Coupling, ...] = ()) -> tuple[Array, Array]:
    """Finite limits (nq) of the search; an unlimited revolute joint gets half a turn beyond all ends (n, nq).

    couplings: of `planned_ties`; followers get the range that their leaders give them.
    """
    low, high = (np.array(limits) for limits in model.coupled_limits)
    followers = {coupling.follower for coupling in couplings}
    for i, ((kind, _), name) in enumerate(zip(model.joint_slices(), model.joint_names, strict=True)):
        if name in followers:
            continue
        if low[i] >= high[i]:
            raise InputError(
                f"joint '{name}' has no room to move, its limits are [{low[i]:g}, {high[i]:g}]: leave it out of `joints`."
            )
        if not (np.isfinite(low[i]) and np.isfinite(high[i])):
            if kind != "revolute":
                raise InputError(
                    f"prismatic joint '{name}' has no limits; planning needs some: give it q_min and q_max."
                )
            low[i] = max(low[i], ends[:, i].min() - np.pi)
            high[i] = min(high[i], ends[:, i].max() + np.pi)
    follower_ranges(model, couplings, low, high)
    return low, high


def joint_costs(model: Model) -> Array:
    """1 / speed (nq) [s/rad, s/m]; 1 for joints without a speed limit."""
    speed = np.asarray(model.v_max)
    usable = np.isfinite(speed) & (speed > 0)
    return np.where(usable, 1.0 / np.where(usable, speed, 1.0), 1.0)
