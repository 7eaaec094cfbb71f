"""Identification of inertial parameters from motion and joint forces, as bodies that can exist.

Joint forces are linear in the parameters: tau = Y theta + friction. Weighted least squares, each joint by the scatter of its own
residuals, give *base parameters*, the combinations that the motion shows (Gautier and Khalil 1990), with 95 % intervals.
Then the same sum of squares is minimised over bodies whose pseudo-inertia is positive definite, near the given robot in what the
motion does not show (`pseudo_inertia.py`).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.dynamics.pseudo_inertia import body_jacobian, body_parameters, coordinates_of
from carpal.dynamics.regressor import dynamics_regressor, inertial_parameters
from carpal.errors import InputError
from carpal.model import Model, need_model
from carpal.spatial import Array, Inertia, inverse

PARAMETER_NAMES = ("mass", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
RANK = 1e-7  # singular values below this part of the largest: the motion does not show that combination
CHI_ALLOWED = 1.05  # how much larger the scatter of the best real bodies may be than that of the best numbers
EXACT = 1e-4  # of a joint's mean force: scatter below this is none
PRIOR_SPREAD = 1.0  # of the coordinates of a body about those given: a factor e in mass and radii of gyration
NORMAL_95 = 1.959963984540054  # standard deviations on either side that hold 95 % of a normal distribution
_ROUNDS = 4  # of the joints' scatter
_MOST_STEPS = 300


@dataclass(frozen=True, eq=False, repr=False)
class IdentificationResult(Result):
    """Inertial parameters found from a recording.

    Args:
        given: the model that was given.
        ok: whether bodies that can exist explain the joint forces as well as the best numbers do.
        parameters: (10 n) as of `inertial_parameters`, physically consistent.
        viscous, coulomb: (nv) friction [N m s/rad, N s/m] and [N m, N]; zero where none was asked for.
        rotor: (nv) rotor inertia [kg m^2, kg]; that of the model where it was not asked for.
        base: (r) base parameters by weighted least squares.
        half_width: (r) half the width of their 95 % intervals.
        base_names: (r) the parameter that stands for each.
        scatter: (nv) standard deviation of the joint forces' residuals [N m, N].
        scatter_of_bodies: the same for the physically consistent parameters.
        condition: of the columns that the base parameters stand for, scaled.
    """

    given: Model
    ok: bool
    parameters: Array
    viscous: Array
    coulomb: Array
    rotor: Array
    base: Array
    half_width: Array
    base_names: tuple[str, ...]
    scatter: Array
    scatter_of_bodies: Array
    condition: float
    grouping: Array

    @property
    def status(self) -> str:
        """One sentence."""
        worse = float(np.max(self.scatter_of_bodies / self.scatter))
        count, width = self.grouping.shape
        seen = f"{count} combinations of {width} parameters are seen (condition {self.condition:.3g})"
        if self.ok:
            return (
                f"{seen}; real bodies explain the joint forces to {100 * (worse - 1):.2g} % of the best fit's scatter."
            )
        return f"{seen}; no real bodies explain the joint forces: their scatter is {worse:.2f} times the best fit's."

    def base_of(
        self, parameters: ArrayLike, viscous: ArrayLike = 0.0, coulomb: ArrayLike = 0.0, rotor: ArrayLike = 0.0
    ) -> Array:
        """(r) base parameters of given ones, such as a data sheet's, to compare with `base`.

        Args:
            parameters: (10 n) as of `inertial_parameters`.
            viscous, coulomb, rotor: (nv); those that were not asked for do not count.
        """
        nv = self.given.nv
        columns = [np.asarray(parameters, float)]
        left = (self.grouping.shape[1] - len(columns[0])) // nv
        asked = [np.broadcast_to(np.asarray(part, float), nv) for part in (viscous, coulomb, rotor)]
        return np.asarray(self.grouping @ np.concatenate([*columns, *asked[:left]]))

    @property
    def model(self) -> Model:
        """The robot with these bodies: each moving body has all that is fixed to it, friction and rotor inertia in its joint."""
        return _with_parameters(self)


def identify_inertia(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    tau: ArrayLike,
    *,
    direction: ArrayLike | None = None,
    friction: bool = True,
    rotor: bool = False,
) -> IdentificationResult:
    """Inertial parameters, friction and rotor inertia from a recorded motion.

    Samples should be independent: filter and thin out what was recorded fast (`smooth_motion`), or the intervals are too narrow.

    Args:
        model: the robot, with rough inertias; revolute and prismatic joints without couplings and loops.
        q, v, vdot: (samples, nv) [rad, m] and rates.
        tau: (samples, nv) joint forces [N m, N], on the joint's side.
        direction: (samples, nv) sign of the velocity for Coulomb friction, filtered as the forces are; by default its sign.
        friction: whether joints have viscous and Coulomb friction, to be found too.
        rotor: whether rotor inertia is to be found; by default that of the model is known.
    """
    need_model(model, "identify_inertia")
    model.require_inertia()
    if model.is_constrained or any(kind not in ("revolute", "prismatic") for kind, _ in model.joint_slices()):
        raise InputError(
            "identify_inertia takes trees of revolute and prismatic joints without couplings and loops; model "
            f"'{model.name}' has others."
        )
    arrays = [np.asarray(part, float) for part in (q, v, vdot, tau)]
    for name, array in zip(("q", "v", "vdot", "tau"), arrays, strict=True):
        if array.ndim != 2 or array.shape != (len(arrays[0]), model.nv) or not np.isfinite(array).all():
            raise InputError(
                f"{name} needs shape (samples, {model.nv}), finite, as many samples as q; got {array.shape}."
            )
    q_at, v_at, a_at, forces = arrays
    side = np.sign(v_at) if direction is None else np.asarray(direction, float)
    if side.shape != v_at.shape or not (np.abs(side) <= 1.5).all():
        raise InputError(f"direction needs shape {v_at.shape} and numbers from -1 to 1; got {side.shape}.")
    Y, names = _columns(model, q_at, v_at, a_at, side, friction, rotor)
    known = np.zeros(model.nv) if rotor else _rotors(model)
    samples, nv, width = Y.shape
    if samples * nv <= width:
        raise InputError(f"{samples} samples of {nv} joints are too few for {width} parameters.")
    sums = _compressed(Y, forces - known * a_at)
    independent, grouping, condition = _base(sums[:, :, :width].reshape(-1, width))
    spare = max(samples - len(independent) / nv, 1.0)
    weights = np.ones(nv)
    for _ in range(_ROUNDS):
        W = (sums * weights[:, None, None]).reshape(-1, width + 1)
        Q, R = np.linalg.qr(W[:, independent])
        base = np.linalg.solve(R, Q.T @ W[:, -1])
        scatter = np.linalg.norm(sums[:, :, independent] @ base - sums[:, :, -1], axis=1) / np.sqrt(spare)
        weights = 1.0 / np.maximum(scatter, 1e-12 * np.abs(forces).max(initial=1e-300))
    half_width = NORMAL_95 * np.linalg.norm(np.linalg.inv(R), axis=1)
    found = _real_bodies(model, np.asarray(np.linalg.qr(W, mode="r")))
    after = np.linalg.norm(sums[:, :, :-1] @ found - sums[:, :, -1], axis=1) / np.sqrt(spare)
    inertial = 10 * (len(model.tables.joints) - 1)
    parts = [found[inertial + k * nv : inertial + (k + 1) * nv] for k in range((width - inertial) // nv)]
    zero = np.zeros(nv)
    return IdentificationResult(
        given=model,
        ok=bool((after <= CHI_ALLOWED * scatter + EXACT * np.sqrt((forces**2).mean(axis=0))).all()),
        parameters=found[:inertial],
        viscous=parts[0] if friction else zero,
        coulomb=parts[1] if friction else zero,
        rotor=parts[-1] if rotor else known,
        base=base,
        half_width=half_width,
        base_names=tuple(names[i] for i in independent),
        scatter=scatter,
        scatter_of_bodies=after,
        condition=condition,
        grouping=grouping,
    )


def _rotors(model: Model) -> Array:
    return np.asarray(model.tables.bodies[1:, 22])


def _columns(
    model: Model, q: Array, v: Array, vdot: Array, side: Array, friction: bool, rotor: bool
) -> tuple[Array, list[str]]:
    """(samples, nv, width) of all parameters, and their names."""
    Y = dynamics_regressor(model, q, v, vdot)
    names = [f"{joint}.{name}" for joint in model.joint_names for name in PARAMETER_NAMES]
    eye = np.eye(model.nv)
    parts = [Y]
    if friction:
        parts += [v[:, :, None] * eye, side[:, :, None] * eye]
        names += [f"{joint}.viscous" for joint in model.joint_names] + [
            f"{joint}.coulomb" for joint in model.joint_names
        ]
    if rotor:
        parts.append(vdot[:, :, None] * eye)
        names += [f"{joint}.rotor" for joint in model.joint_names]
    return np.concatenate(parts, axis=-1), names


def _base(W: Array) -> tuple[np.ndarray, Array, float]:
    """Independent columns, how base parameters are made of all of them (r, width), and the condition of the scaled columns."""
    from scipy.linalg import qr

    W = np.asarray(np.linalg.qr(W, mode="r"))
    size = np.linalg.norm(W, axis=0)
    scaled = W / np.where(size > 1e-9 * size.max(), size, np.inf)
    R, order = qr(scaled, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > RANK * diagonal[0]).sum())
    independent, others = order[:rank], order[rank:]
    grouping = np.zeros((rank, W.shape[1]))
    grouping[np.arange(rank), independent] = 1.0
    grouping[:, others] = np.linalg.lstsq(W[:, independent], W[:, others], rcond=None)[0]
    grouping[np.abs(grouping) < 1e-9] = 0.0
    values = np.linalg.svd(R[:rank, :rank], compute_uv=False)
    return independent, grouping, float(values[0] / values[-1])


def _compressed(Y: Array, y: Array) -> Array:
    """(nv, width + 1, width + 1) for each joint the triangle with the same sums of squares as its rows [Y y]."""
    rows = np.concatenate([Y, y[:, :, None]], axis=-1)
    width = rows.shape[-1]
    out = np.zeros((rows.shape[1], width, width))
    for joint, triangle in enumerate(out):
        R = np.linalg.qr(rows[:, joint], mode="r")
        triangle[: len(R)] = R
    return out


def _real_bodies(model: Model, R: Array) -> Array:
    """All parameters (width) of the bodies that can exist and minimise |A theta - b|^2, R = [A b], near those given.

    Gauss-Newton steps with Levenberg-Marquardt damping; friction and rotor inertia are exponentials, so that they are positive.
    """
    A, b = R[:, :-1], R[:, -1]
    count, width = len(model.tables.joints) - 1, A.shape[1]
    start = np.array([coordinates_of(ten) for ten in inertial_parameters(model).reshape(count, 10)])
    spread = np.ones((count, 10))
    spread[:, 4:] = np.maximum(np.exp(start[:, 1:4].mean(axis=1)), 1e-3)[:, None]
    x = np.concatenate([np.zeros(10 * count), np.full(width - 10 * count, np.log(0.1))])
    prior = np.concatenate([np.full(10 * count, 1.0 / PRIOR_SPREAD), np.zeros(width - 10 * count)])

    def at(x: Array) -> tuple[Array, Array, float]:
        eta = start + x[: 10 * count].reshape(count, 10) * spread
        theta = np.concatenate([*map(body_parameters, eta), np.exp(x[10 * count :])])
        residual = A @ theta - b
        return theta, residual, float(residual @ residual + (prior * x) @ (prior * x))

    theta, residual, cost = at(x)
    damping = 1e-3
    for _ in range(_MOST_STEPS):
        eta = start + x[: 10 * count].reshape(count, 10) * spread
        D = np.diag(np.concatenate([np.zeros(10 * count), theta[10 * count :]]))
        for i in range(count):
            D[10 * i : 10 * i + 10, 10 * i : 10 * i + 10] = body_jacobian(eta[i]) * spread[i]
        J = A @ D
        H, g = J.T @ J + np.diag(prior**2), J.T @ residual + prior**2 * x
        step = -np.linalg.solve(H + damping * np.diag(np.diag(H) + 1e-9), g)
        tried = at(x + np.clip(step, -1.0, 1.0))
        if tried[2] < cost:
            gained = cost - tried[2]
            x = x + np.clip(step, -1.0, 1.0)
            (theta, residual, cost), damping = tried, max(0.2 * damping, 1e-12)
            if gained < 1e-12 * (1.0 + cost) and np.abs(step).max() < 1e-6:
                break
        elif damping > 1e8:
            break
        else:
            damping *= 5.0
    return theta


def _with_parameters(result: IdentificationResult) -> Model:
    model = result.given
    tables = model.tables
    taken: set[int] = set()
    bodies = []
    for body in model.bodies:
        row, X_KB = tables.body_rows[body.name]
        joint, inertia = body.joint, body.inertia
        if row > 0:
            inertia = Inertia.nothing()
            if row not in taken:
                taken.add(row)
                ten = result.parameters[10 * (row - 1) : 10 * row]
                inertia = _inertia(ten).moved(inverse(X_KB))
                index = row - 1
                joint = dataclasses.replace(
                    joint,
                    damping=float(result.viscous[index]) or joint.damping,
                    friction=float(result.coulomb[index]) or joint.friction,
                    armature=float(result.rotor[index]),
                )
        bodies.append(dataclasses.replace(body, inertia=inertia, joint=joint))
    return model.replace(bodies=tuple(bodies))


def _inertia(ten: Array) -> Inertia:
    xx, yy, zz, xy, xz, yz = ten[4:]
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    com = ten[1:4] / ten[0]
    return Inertia(float(ten[0]), com, about_origin - ten[0] * ((com @ com) * np.eye(3) - np.outer(com, com)))
