"""The standard springs nearest to designed ones, what they cost, and by how much the finger rests elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.labs.finger.design import SpringDesign
from carpal.labs.finger.kernels.terms import STIFFNESS, TENSION
from carpal.labs.finger.load import load_rows
from carpal.labs.finger.motion import positive
from carpal.labs.finger.robot import SpringFinger
from carpal.labs.finger.spring_catalogue import SpringCatalogue, StandardSpring, read_springs
from carpal.labs.finger.statics import closing_curve, closing_tensions, rest_of_rows
from carpal.spatial import Array

SHARE = 4.0  # springs further from the designed stiffness than this factor are not tried
SAMPLES = 12  # tensions, evenly up to the largest, at which a closing finger is compared
MOST_TRIED = 300  # sets, best first, whose closing order is checked


@dataclass(frozen=True, eq=False)
class SpringChoice(Result):
    """Three standard springs in a finger.

    Args:
        finger: the designed finger with these springs, their neutral angles as designed.
        springs: one for each joint.
        q: (3) where it rests [rad].
        angle_error: largest distance of a joint from its wanted angle at rest [rad].
        stroke_error: the same while a finger with a designed closing order closes [rad].
        cost: of the three, and `custom_cost` of three wound to order, in `currency`.
        closing: (3) tensions at which the joints meet their stops [N]; None where no order was designed.
        tried: sets of springs that could hold the finger.
    """

    finger: SpringFinger
    springs: tuple[StandardSpring, ...]
    q: Array
    angle_error: float
    stroke_error: float
    cost: float
    custom_cost: float
    currency: str
    closing: Array | None
    tried: int

    @property
    def ok(self) -> bool:
        """True: where no set fits there is an error."""
        return True

    @property
    def status(self) -> str:
        """One true sentence."""
        names = ", ".join(f"{s.name} ({s.stiffness:g} N m/rad)" for s in self.springs)
        text = f"standard springs {names} rest within {np.degrees(self.angle_error):.3g} deg of the wanted angles"
        if self.closing is not None:
            text += f", stay within {np.degrees(self.stroke_error):.3g} deg while closing"
        return f"{text} and cost {self.cost:.2f} {self.currency} ({self.custom_cost:.2f} wound to order)."


def choose_springs(
    design: SpringDesign, catalogue: SpringCatalogue | None = None, *, tolerance: float | None = None
) -> SpringChoice:
    """The set of standard springs that comes nearest to the wanted angles, stable, and closing in the designed order.

    Nearest means: the largest error of a joint at rest or, with a closing order, while it closes, beside the designed springs.

    Args:
        design: from `design_springs`; the springs' neutral angles stay as designed.
        catalogue: None is the assumed series in the package.
        tolerance: [rad]; when given, the cheapest set that stays within it, where there is one.
    """
    shop = read_springs() if catalogue is None else catalogue
    if not isinstance(shop, SpringCatalogue):
        raise InputError(f"catalogue must come from read_springs(); got {type(shop).__name__}.")
    limit = None if tolerance is None else positive("tolerance", tolerance)
    finger = design.finger
    sets = _sets(design, shop)
    rows = np.repeat(finger.row[None], len(sets), 0)
    rows[:, STIFFNESS : STIFFNESS + 3] = [[spring.stiffness for spring in each] for each in sets]
    rest, error, stroke = _errors(design, rows)
    cost = np.array([sum(spring.price for spring in each) for each in sets])
    within = np.zeros(len(sets), bool) if limit is None else stroke <= limit
    # those within the tolerance first, cheapest first; the rest by their error
    ranked = np.lexsort((cost, stroke, np.where(within, cost, np.inf)))
    for i in ranked[:MOST_TRIED]:
        if not np.isfinite(stroke[i]):
            break
        made = finger.replace(stiffness=rows[i, STIFFNESS : STIFFNESS + 3])
        closing = None
        if design.tension is not None:
            closing = closing_tensions(made, 4.0 * float(design.tension.max()), design.load)
            same = np.array_equal(np.argsort(closing), np.argsort(design.tension))
            if not np.isfinite(closing).all() or not same:
                continue
        return SpringChoice(
            made, sets[i], rest[i], float(error[i]), float(stroke[i]), float(cost[i]), 3 * shop.custom_price, shop.currency,
            closing, int(np.isfinite(stroke).sum()),
        )  # fmt: skip
    raise InputError(
        f"no three springs of '{shop.title}' hold this finger{'' if design.tension is None else ' and keep its closing order'}: "
        f"wanted are {', '.join(f'{k:.4g}' for k in finger.stiffness)} N m/rad."
    )


def _errors(design: SpringDesign, rows: Array) -> tuple[Array, Array, Array]:
    """Rest angles (n, 3), largest error at rest (n), and over rest and closing (n) [rad]; infinite where nothing holds."""
    finger, base = design.finger, load_rows(design.load)
    rest = rest_of_rows(finger, rows, base, finger.neutral, finger.q_min, finger.q_max)
    error = np.where(rest.ok, np.abs(rest.q - design.rest).max(-1), np.inf)
    stroke, q = error.copy(), rest.q
    if design.tension is not None:
        pulls = np.linspace(0.0, float(design.tension.max()), SAMPLES + 1)
        for pull, wanted in zip(pulls, closing_curve(finger, pulls, design.load), strict=True):
            loaded = base.copy()
            loaded[TENSION] += pull
            there = rest_of_rows(finger, rows, loaded, q, finger.q_min, finger.q_max)
            q = there.q
            stroke = np.maximum(stroke, np.where(there.ok, np.abs(q - wanted).max(-1), np.inf))
    return rest.q, error, stroke


def _sets(design: SpringDesign, shop: SpringCatalogue) -> list[tuple[StandardSpring, ...]]:
    """Every set whose stiffness is within a factor of the designed one and that bears its deflections."""
    finger, per_joint = design.finger, []
    for i in range(3):
        ends = [design.rest[i]] if design.tension is None else [design.rest[i], finger.q_max[i]]
        bend = max(abs(end - finger.neutral[i]) for end in ends)
        near = [
            spring for spring in shop.springs
            if 1 / SHARE <= spring.stiffness / finger.stiffness[i] <= SHARE and bend <= spring.largest
        ]  # fmt: skip
        if not near:
            raise InputError(
                f"'{shop.title}' has no spring for joint {i + 1}: wanted are {finger.stiffness[i]:.4g} N m/rad (within a factor "
                f"of {SHARE:g}) and a deflection of {np.degrees(bend):.3g} deg; it has {shop.springs[0].stiffness:g} to "
                f"{shop.springs[-1].stiffness:g} N m/rad."
            )
        per_joint.append(near)
    return [(a, b, c) for a in per_joint[0] for b in per_joint[1] for c in per_joint[2]]
