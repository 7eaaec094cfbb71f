"""Options of `retrieve`."""

from __future__ import annotations

from dataclasses import dataclass

from carpal.tasks import option


@dataclass(frozen=True)
class RetrieveOptions:
    """What can be chosen."""

    relay: tuple[float, float, float] = option(
        (0.36, 0.35, -1.24), "True pose of the simulated relay: x, y, yaw.", unit="m, m, rad"
    )
    planner: str = option(
        "sbl",
        "Motion planner; none: straight joint lines without collision checks.",
        choices=("sbl", "est", "rrt", "none"),
    )
    place: tuple[float, float] = option((0.45, -0.30), "Where the flap's grip point is put down: x, y.", unit="m")
    points: str = option("", "A JSON file with the four marks clicked in both images.", offered=("",))
    images: str = option("", "A folder with left.png and right.png instead of simulated images.", offered=("",))
    terrain: str = option("", "A mesh file of the ground, including the relay, instead of flat ground.", offered=("",))
