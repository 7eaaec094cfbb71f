"""Springs that make a finger rest at given angles, and close in a given order.

Prabhu (2018) stops at "provided all other values are known". At rest each joint's spring carries what
gravity and loads do there: k_i (q_i - n_i) = tau_i(q). With known neutral angles n that gives the three constants. With a
closing order wanted, joint i shall also meet its stop when the tendon pulls with T_i, which is a second equation for each
joint, k_i (stop_i - n_i) = tau_i(q at T_i), and gives the neutral angles (the springs' pre-tension) too. The other joints'
angles at T_i enter tau_i through gravity alone; they are found by fixed-point iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.dynamics import gravity_forces
from carpal.errors import InputError
from carpal.labs.finger.kernels.terms import TENSION
from carpal.labs.finger.load import FingerLoad, load_rows, load_torques
from carpal.labs.finger.modes import FingerModes, finger_modes
from carpal.labs.finger.motion import positive
from carpal.labs.finger.robot import SpringFinger, three
from carpal.labs.finger.statics import closing_tensions, rest_of_rows, rest_pose, stiffness_matrix
from carpal.spatial import Array

ROUNDS = 500
SMALLEST_BEND = 1e-6  # [rad] between a wanted angle and a neutral one, below which no constant follows


@dataclass(frozen=True, eq=False)
class SpringDesign(Result):
    """Springs that were designed; `finger` carries them.

    Args:
        finger: with the designed stiffness and neutral angles.
        rest: (3) wanted joint angles at rest [rad].
        angle_error: (3) where it rests minus wanted [rad], let go at the springs' neutral angles.
        stiffness_margin: lowest eigenvalue of the stiffness matrix at rest [N m/rad]; above zero: a push dies away.
        modes: small motions at rest.
        tension: (3) at which the joints shall meet their stops [N], in joint order; None without a wanted order.
        closing: (3) tensions at which they do [N]; None without.
        load: what acts at rest.
    """

    finger: SpringFinger
    rest: Array
    angle_error: Array
    stiffness_margin: float
    modes: FingerModes
    tension: Array | None
    closing: Array | None
    load: FingerLoad | None

    @property
    def ok(self) -> bool:
        """True: a design that does not hold is an error."""
        return True

    @property
    def order(self) -> tuple[int, ...] | None:
        """Joints in the order in which they close, from 1; None without a wanted order."""
        return None if self.closing is None else tuple(int(i) + 1 for i in np.argsort(self.closing, kind="stable"))

    @property
    def status(self) -> str:
        """One true sentence."""
        k = ", ".join(f"{x:.5g}" for x in self.finger.stiffness)
        n = ", ".join(f"{x:.4g}" for x in np.degrees(self.finger.neutral))
        text = f"springs of {k} N m/rad, slack at {n} deg, hold the wanted angles within {np.abs(self.angle_error).max():.1e} rad"
        if self.closing is not None:
            pulls = ", ".join(f"{x:.4g}" for x in self.closing)
            text += f" and close at {pulls} N, in the order {'-'.join(map(str, self.order or ()))}"
        return text + f"; stable, {self.modes.frequency_hz[0]:.3g} Hz at the lowest."


def design_springs(
    finger: SpringFinger,
    rest: ArrayLike,
    *,
    neutral: ArrayLike | None = None,
    order: Any = None,
    tension: float | ArrayLike | None = None,
    load: FingerLoad | None = None,
) -> SpringDesign:
    """Spring constants for wanted rest angles, and with a wanted closing order the springs' neutral angles too.

    Args:
        finger: everything but the springs: sizes, masses, gravity, tendon arms and, for an order, stops `q_max`.
        rest: (3) wanted joint angles at rest under gravity and `load` [rad].
        neutral: (3) angles at which the springs are slack [rad], the finger's by default; not with an order.
        order: joints in the order in which they shall meet their stops, such as (1, 2, 3).
        tension: of the tendon [N] when the last one does; the others at a third and two thirds of it. Or three tensions, one
            for each joint, in place of an order.
        load: what acts at rest besides gravity.
    """
    wanted = three(rest, "rest")
    base = load_rows(load)
    if base.ndim != 1:
        raise InputError(f"a design takes one load, not a batch of shape {base.shape[:-1]}.")
    outside = (wanted < finger.q_min) | (wanted > finger.q_max)
    if outside.any():
        i = int(np.argmax(outside))
        raise InputError(
            f"the wanted angle of joint {i + 1}, {wanted[i]:.4g} rad, is outside its stops "
            f"{finger.q_min[i]:.4g} to {finger.q_max[i]:.4g} rad."
        )
    pulls = _tensions(order, tension)
    if pulls is None:
        slack = three(finger.neutral if neutral is None else neutral, "neutral")
        made = finger.replace(stiffness=_constants(finger, wanted, slack, base), neutral=slack)
    else:
        if neutral is not None:
            raise InputError("a closing order decides the springs' neutral angles: give neutral or order, not both.")
        made = _for_order(finger, wanted, pulls, base)
    return _checked(made, wanted, pulls, load)


def joint_torques_at(finger: SpringFinger, q: Array, loads: Array) -> Array:
    """(3) joint torques of gravity and loads [N m], which the springs must balance."""
    return load_torques(finger, q, loads) - gravity_forces(finger.chain, q)


def _constants(finger: SpringFinger, rest: Array, slack: Array, loads: Array) -> Array:
    torque, bend = joint_torques_at(finger, rest, loads), rest - slack
    k = np.empty(3)
    for i in range(3):
        what = f"joint {i + 1} cannot be held at {rest[i]:.4g} rad by a spring that is slack at {slack[i]:.4g} rad: "
        if abs(bend[i]) < SMALLEST_BEND:
            raise InputError(
                f"{what}such a spring carries nothing there, and gravity and loads bend the joint with {torque[i]:.3g} N m; "
                "choose another rest or neutral angle."
            )
        k[i] = torque[i] / bend[i]
        if not k[i] > 0:
            way = "away from" if torque[i] * bend[i] < 0 else "not at all against"
            raise InputError(
                f"{what}gravity and loads bend it with {torque[i]:.3g} N m, {way} the side where it shall rest; choose a rest "
                "angle on the other side of the neutral one, or another neutral angle."
            )
    return k


def _for_order(finger: SpringFinger, rest: Array, pulls: Array, loads: Array) -> SpringFinger:
    stops = finger.q_max
    if not np.isfinite(stops).all():
        raise InputError("a closing order needs a stop at every joint: give the finger a finite q_max.")
    if not (stops - rest > 1e-3).all():
        i = int(np.argmin(stops - rest))
        raise InputError(f"joint {i + 1} rests at its stop ({stops[i]:.4g} rad): it cannot close.")
    if not (finger.tendon_arm > 0).all():
        raise InputError(f"a closing order needs tendon arms above zero; got {finger.tendon_arm.tolist()} m.")
    held = joint_torques_at(finger, rest, loads)
    posed = np.array([np.where(pulls <= pulls[i], stops, rest + (stops - rest) * pulls[i] / pulls) for i in range(3)])
    last = np.zeros(6)
    for _ in range(ROUNDS):
        k, n = np.empty(3), np.empty(3)
        for i in range(3):
            loaded = loads.copy()
            loaded[TENSION] += pulls[i]
            closed = joint_torques_at(finger, posed[i], loaded)[i]
            k[i] = (closed - held[i]) / (stops[i] - rest[i])
            if not k[i] > 0:
                raise InputError(
                    f"no spring lets joint {i + 1} rest at {rest[i]:.4g} rad and meet its stop at {pulls[i]:.4g} N: gravity and "
                    f"loads change by {closed - held[i]:.3g} N m over that way, so that the spring would have to push; choose a "
                    "larger tension or tendon arm."
                )
            n[i] = rest[i] - held[i] / k[i]
        made = finger.replace(stiffness=k, neutral=n)
        if np.abs(np.concatenate([k / k.max(), n]) - last).max() < 1e-13:
            return made
        last = np.concatenate([k / k.max(), n])
        for i in range(3):
            loaded = loads.copy()
            loaded[TENSION] += pulls[i]
            low, high = finger.q_min.copy(), stops.copy()
            low[i] = high[i]
            posed[i] = rest_of_rows(made, made.row, loaded, posed[i], low, high).q
    raise InputError(
        "no springs were found for this order: gravity bends the finger too much while it closes; raise the tension."
    )


def _tensions(order: Any, tension: Any) -> Array | None:
    """(3) tension at which each joint shall meet its stop, or None."""
    if order is None and tension is None:
        return None
    if order is None:
        pulls = three(tension, "tension")
        if not (pulls > 0).all() or len(set(pulls.tolist())) < 3:
            raise InputError(f"three different tensions above zero [N] make an order; got {pulls.tolist()}.")
        return pulls
    joints = list(order) if isinstance(order, list | tuple | np.ndarray) else [order]
    if sorted(map(str, joints)) != ["1", "2", "3"]:
        raise InputError(f"order must name the joints 1, 2 and 3 once each; got {order!r:.60}.")
    if tension is None or np.ndim(tension):
        raise InputError(f"an order needs one tension [N] at which the last joint meets its stop; got {tension!r:.60}.")
    most, pulls = positive("tension", tension), np.empty(3)
    for place, joint in enumerate(joints, start=1):
        pulls[int(joint) - 1] = most * place / 3.0
    return pulls


def _checked(made: SpringFinger, wanted: Array, pulls: Array | None, load: FingerLoad | None) -> SpringDesign:
    K = stiffness_matrix(made, wanted, load)
    margin = float(np.linalg.eigvalsh(0.5 * (K + K.T)).min())
    modes = finger_modes(made, wanted, load)
    if not modes.stable or margin <= 0:
        other = "another rest or neutral angle" if pulls is None else "another rest angle or a larger tension"
        raise InputError(
            f"springs of {', '.join(f'{k:.3g}' for k in made.stiffness)} N m/rad balance the finger there and cannot hold it: "
            f"the lowest stiffness is {margin:.3g} N m/rad (gravity or loads pull it over); choose {other}."
        )
    rest = rest_pose(made, load)
    error = rest.q - wanted
    if not rest.ok or np.abs(error).max() > 1e-6:
        raise InputError(
            f"the springs hold the wanted angles, but let go at their neutral angles the finger comes to rest elsewhere, at "
            f"{', '.join(f'{x:.4g}' for x in rest.q)} rad; choose neutral angles nearer to the wanted ones."
        )
    closing = None
    if pulls is not None:
        closing = closing_tensions(made, 1.2 * float(pulls.max()), load)
        if np.abs(closing - pulls).max() > 1e-6 * pulls.max():
            raise InputError(
                f"with these springs the joints would meet their stops at {', '.join(f'{x:.4g}' for x in closing)} N in place of "
                f"{', '.join(f'{x:.4g}' for x in pulls)} N: gravity closes a joint too early; raise the tension."
            )
    return SpringDesign(made, wanted, error, margin, modes, pulls, closing, load)
