"""`engine_for`: an engine by its name for a scene, a model, a linkage or a mechanism, with the state in which it begins.

For the penalty engine trees and linkages become mechanisms, and joints are as stiff as the step allows (`stiffened`);
contacts are softened where the default law is too stiff for the step (`softened`), and `notes` says so. A mechanism's
own numbers stay.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines.contact_spring import restitution_number
from carpal.engines.modal.engine import ModalEngine
from carpal.engines.mujoco.engine import MuJoCoEngine
from carpal.engines.pair_surfaces import SurfaceKey, by_shape_names
from carpal.engines.penalty.contact_law import ContactLaw
from carpal.engines.penalty.engine import PenaltyEngine
from carpal.engines.penalty.setup.tuning import TuneResult, tune
from carpal.engines.penalty.stiffness import softened, stiffened
from carpal.engines.penalty.tree_mechanism import TreeMechanism, mechanism_of
from carpal.engines.rigid.engine import RigidEngine
from carpal.engines.scene_surfaces import surfaces_of_scene
from carpal.engines.surface import Surface
from carpal.errors import InputError, unknown_name
from carpal.model import Linkage, Mechanism, Model, Scene, State, TriangleMesh, real_array, with_convex_pieces
from carpal.spatial import Array

ENGINES = {"penalty": 2e-5, "rigid": 1e-3, "modal": 1e-3, "mujoco": 1e-3}
"""Names, with the default step [s] of each."""
JOINT_DAMPING = 1e-4  # damping over stiffness [s] where only a stiffness is given, as the mechanism's defaults have it


@dataclass(frozen=True, eq=False)
class ReadyEngine:
    """An engine ready to run.

    Args:
        engine: what moves the state.
        state: initial state.
        command: of a mechanism's actuators at the start and at the end of a run; None where there are none.
        tree: where a scene or a model became a mechanism.
        tuned: the gains, where `sag` asked for them.
        notes: what was chosen or left out, one sentence each.
    """

    engine: PenaltyEngine | RigidEngine | ModalEngine | MuJoCoEngine
    state: State
    command: tuple[Array, Array] | None = None
    tree: TreeMechanism | None = None
    tuned: TuneResult | None = None
    notes: tuple[str, ...] = field(default=())


def engine_for(
    what: Scene | Model | Linkage | Mechanism,
    name: str = "penalty",
    *,
    dt: float | None = None,
    stiffness: float | None = None,
    contact: ContactLaw | None = None,
    drives: bool = False,
    sag: float | None = None,
    damping_ratio: float = 1.0,
    least_load: float | None = None,
    massless: float | None = None,
    drive: float | None = None,
    gravity: ArrayLike | None = None,
    surface: Surface | Mapping[str, Any] | None = None,
    accurate: bool = False,
    device: str = "cpu",
) -> ReadyEngine:
    """An engine for what is described.

    Args:
        what: a scene, a model, a linkage or a mechanism.
        name: "penalty", "rigid", "modal" or "mujoco"; the last three move trees only.
        dt: step [s]; by default 2e-5 (penalty) or 1e-3; the MuJoCo engine takes the step of the file that a model came from.
        stiffness: of every point joint [N/m], with 1e-4 s of it as damping; by default from masses and dt.
        contact: the penalty engine's contact law; by default the usual one, softened where dt asks for it.
        drives: give hinges and slides of a tree PD actuators.
        sag, damping_ratio, least_load: tune the actuators for these, see `tune`; without `sag` gains stay as they are.
        massless: mass [kg] for bodies without mass, see `mechanism_of`.
        drive: where a linkage's drive goes [rad, m]; by default its stop.
        gravity: (3) [m/s^2] in W instead of the description's; a linkage lies in the world's xy plane and feels -z by default.
        surface: friction, tip, restitution and compliance of all pairs of which the scene says nothing else, or some of its
            values by name; by default the scene's own. Where neither says anything the modal engine takes `Surface()`, the others
            their own contact law.
        accurate: the modal engine's accurate scheme.
        device: "cpu" or "cuda".
    """
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    if not isinstance(what, Scene | Model | Linkage | Mechanism):
        raise InputError(f"an engine moves a Scene, Model, Linkage or Mechanism; got {type(what).__name__}.")
    step = ENGINES[name] if dt is None else dt
    pull = None if gravity is None else real_array(gravity, "gravity")
    if pull is not None and (pull.shape != (3,) or not np.isfinite(pull).all()):
        raise InputError(f"gravity must be 3 finite numbers [m/s^2]; got {pull.tolist()!r:.60}.")
    if name != "modal" and accurate:
        raise InputError(f"accurate is for the modal engine; the engine is '{name}'.")
    if name == "rigid" and surface is not None:
        raise InputError("surface is for engines with contact (modal, mujoco, penalty); the engine is 'rigid'.")
    if surface is not None and isinstance(what, Linkage | Mechanism):
        raise InputError("surface is for scenes and models; a linkage or mechanism takes contact, a ContactLaw.")
    if surface is not None and contact is not None:
        raise InputError("give surface or contact, not both.")
    if name != "penalty":
        given = {"stiffness": stiffness, "contact": contact, "sag": sag, "massless": massless, "drive": drive}
        for option, value in given.items():
            if value is not None:
                raise InputError(f"{option} is for the penalty engine; the engine is '{name}'.")
        return _tree_engine(what, name, dt, device, pull, surface, accurate)
    return _penalty(
        what, step, device, gravity=pull, surface=surface, stiffness=stiffness, contact=contact, drives=drives,
        massless=massless, drive=drive,
        gains=None if sag is None else {"sag": sag, "damping_ratio": damping_ratio, "least_load": least_load},
    )  # fmt: skip


def _tree_engine(
    what: Any, name: str, dt: float | None, device: str, gravity: Array | None, surface: Surface | Mapping[str, Any] | None,
    accurate: bool,
) -> ReadyEngine:  # fmt: skip
    if isinstance(what, Linkage | Mechanism):
        kind = "linkage" if isinstance(what, Linkage) else "mechanism"
        raise InputError(f"{kind} '{what.name}' is no tree of joints; the engine '{name}' moves trees: use 'penalty'.")
    model = what.build() if isinstance(what, Scene) else what
    state = what.start() if isinstance(what, Scene) else State.home(model)
    model = with_convex_pieces(model) if name != "rigid" and not _native(name, model) else model
    model = model if gravity is None else model.replace(gravity=gravity)
    step = ENGINES[name] if dt is None else dt
    if name == "rigid":
        return _rigid(what, model, state, step, device)
    if name == "modal":
        every, named = surfaces_of_scene(what if isinstance(what, Scene) else Scene(), surface)
        engine = ModalEngine(model, dt=step, surface=every, surfaces=named, accurate=accurate, device=device)
        return ReadyEngine(engine, state, notes=_surface_notes(name, every, named))
    if device != "cpu":
        raise InputError(f"the engine 'mujoco' runs on the cpu; got device '{device}'.")
    general, named = _said(what, surface)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mujoco = MuJoCoEngine(model, dt=dt, surface=general, surfaces=named)
    return ReadyEngine(
        mujoco, state, notes=(*(str(each.message) for each in caught), *_surface_notes(name, general, named))
    )


def _native(name: str, model: Model) -> bool:
    """Whether MuJoCo gets the files of the model, and with them their own height fields."""
    meshes = [shape.name for shape in model.shapes if shape.collides and isinstance(shape.shape, TriangleMesh)]
    prefixes = tuple(part.prefix for part in model.native)
    return name == "mujoco" and bool(prefixes) and all(mesh.startswith(prefixes) for mesh in meshes)


def _rigid(what: Any, model: Model, state: State, dt: float, device: str) -> ReadyEngine:
    """The rigid engine, its couplings and loops closed at the start."""
    engine = RigidEngine(model, dt=dt, device=device)
    notes = []
    if any(shape.collides for shape in model.shapes):
        notes.append("the engine 'rigid' has no contact: shapes pass through each other.")
    if np.isfinite(model.q_min).any() or np.isfinite(model.q_max).any():
        notes.append("the engine 'rigid' has no joint limits: joints may pass them.")
    if engine.integrator != "rk4":
        notes.append(f"joints are too stiff for explicit steps of {dt:g} s: the integrator is '{engine.integrator}'.")
    closed = engine.assemble(state)
    if closed is not state and (moved := float(np.abs(closed.q - state.q).max())) > 1e-9:
        notes.append(f"couplings and loops were closed at the start: a joint moved by {moved:.3g} (rad, m).")
    return ReadyEngine(engine, closed, notes=tuple(notes))


def _said(what: Any, surface: Surface | Mapping[str, Any] | None) -> tuple[Surface | None, dict[SurfaceKey, Surface]]:
    """The surfaces of a scene, or nothing where neither it nor the caller says anything."""
    scene = what if isinstance(what, Scene) else Scene()
    if surface is None and not scene.surfaces:
        return None, {}
    return surfaces_of_scene(scene, surface)


def _surface_notes(name: str, general: Surface | None, named: Mapping[SurfaceKey, Surface]) -> tuple[str, ...]:
    """What an engine cannot do of the surfaces, one sentence each."""
    entries = [("all pairs", general), *((k if isinstance(k, str) else " and ".join(k), s) for k, s in named.items())]
    known = [(label, each) for label, each in entries if each is not None]
    notes = []
    if name == "modal":
        notes += [
            f"compliance of the surface of {label} is left out: contacts of the engine 'modal' are rigid."
            for label, each in known
            if each.compliance
        ]
    else:
        notes += [
            f"restitution of the surface of {label} is the constant {restitution_number(each):g} in the engine '{name}'."
            for label, each in known
            if each.restitution.kind != "constant"  # type: ignore[union-attr] # made a Restitution by Surface
        ]
        notes += [
            f"static friction of the surface of {label} is left out: the engine '{name}' has one coefficient, mu {each.mu:g}."
            for label, each in known
            if each.mu_static > each.mu
        ]
    if name != "mujoco":
        notes += [
            f"rolling friction of the surface of {label} is left out: the engine '{name}' has none."
            for label, each in known
            if each.rolling
        ]
    if name == "penalty":
        notes += [
            f"the soft tip of the surface of {label} is a hard one in the engine 'penalty': no torque about the normal."
            for label, each in known
            if each.tip == "soft"
        ]
    return tuple(notes)


def _penalty(
    what: Any, dt: float, device: str, *, surface: Surface | Mapping[str, Any] | None, stiffness: float | None,
    contact: ContactLaw | None, drives: bool, massless: float | None, drive: float | None, gravity: Array | None,
    gains: dict[str, Any] | None,
) -> ReadyEngine:  # fmt: skip
    tree, notes, stop = None, [], drive
    general: Surface | None = None
    named: dict[SurfaceKey, Surface] = {}
    if isinstance(what, Linkage):
        mechanism = what.mechanism()
        stop = what.drive.stop if drive is None else drive
        what.curve().poses(stop)  # a drive outside the stroke is refused with the stroke
    elif isinstance(what, Mechanism):
        mechanism = what
    else:
        start = what.start() if isinstance(what, Scene) else State.home(what)
        pieces = with_convex_pieces(what.build() if isinstance(what, Scene) else what)
        tree = mechanism_of(pieces, start.q, start.v, drives=drives or gains is not None, massless=massless)
        general, stated = _said(what, surface)
        named = by_shape_names(tree.model, stated)
        mechanism, notes = tree.mechanism, [*tree.notes, *_surface_notes("penalty", general, stated)]
    if gravity is not None:
        mechanism = dataclasses.replace(mechanism, gravity=gravity)
    if drive is not None and not isinstance(what, Linkage):
        raise InputError("drive is for linkages: it says where their drive goes.")
    if stiffness is not None:
        mechanism = _with_stiffness(mechanism, stiffness)
    elif not isinstance(what, Mechanism):
        mechanism = stiffened(mechanism, dt)
    tuned = None
    if gains is not None:
        tuned = tune(mechanism, **gains)
        mechanism = tuned.mechanism
    law = contact
    if law is None and not isinstance(what, Mechanism):
        law = softened(ContactLaw(), mechanism, dt, surface=general, surfaces=named)
        if law != ContactLaw():
            notes.append(
                f"contacts are softened to {law.stiffness:.3g} N/m^3, the stiffest that dt = {dt:g} s follows well."
            )
    engine = PenaltyEngine(mechanism, dt=dt, contact=law, surface=general, surfaces=named, device=device)
    state = engine.start()
    return ReadyEngine(engine, state, _commands(engine, state, stop), tree, tuned, tuple(notes))


def _with_stiffness(mechanism: Mechanism, stiffness: float) -> Mechanism:
    if not 0 < stiffness < np.inf:
        raise InputError(f"stiffness must be above zero [N/m]; got {stiffness!r:.40}.")
    joints = tuple(
        dataclasses.replace(joint, stiffness=stiffness, damping=JOINT_DAMPING * stiffness) for joint in mechanism.joints
    )
    return dataclasses.replace(mechanism, joints=joints)


def _commands(engine: PenaltyEngine, state: State, stop: float | None) -> tuple[Array, Array] | None:
    """Actuators hold what they measure at the start; a linkage's drive goes to its stop."""
    from carpal.engines.penalty.gaps import actuator_values
    from carpal.engines.penalty.sampling import command_of

    if not engine.mechanism.commands:
        return None
    first = command_of(engine.mechanism, actuator_values(engine.mechanism, state.q))
    last = first.copy()
    if stop is not None:
        last[0] = stop
    return first, last
