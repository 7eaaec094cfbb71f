"""A model as MuJoCo compiles it: from the files that it came from where there are any, else from the MJCF that Carpal writes.

A file's own text has what a model has no field for: solver settings, friction, softness of contacts and limits, options. In a
scene the robots' files are attached to what Carpal writes of the rest; options are the first file's.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from carpal.engines.mujoco.contact_surfaces import add_pairs
from carpal.engines.mujoco.inertias import restore_inertias, with_solid_inertias
from carpal.engines.surface import Surface
from carpal.errors import CarpalError, ModelError
from carpal.model import Body, Joint, Model, NativeMjcf, contact_elements
from carpal.spatial import Inertia, wxyz_from_rotation

BASE = "carpal_base"


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """MuJoCo's warnings would be printed and appended to a file in the working folder."""
    import mujoco

    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        mujoco.set_mju_user_warning(before)


Pairs = Mapping[tuple[str, str], Surface]


def compile_model(model: Model, pairs: Pairs | None = None) -> tuple[Any, bool]:
    """The `MjModel`, with these `pairs` of shapes listed, and whether it came from the model's own files.

    A file that MuJoCo refuses, or that has joints which the model has not, is warned about; the written MJCF takes its place.
    """
    import mujoco

    if model.native:
        try:
            with silence():
                spec = _from_files(model)
                add_pairs(spec, pairs or {})
                compiled = spec.compile()
            _check_joints(model, compiled)
            return compiled, True
        except (ValueError, CarpalError, mujoco.FatalError) as problem:
            warnings.warn(
                f"MuJoCo cannot take the file of model '{model.name}' as it is ({' '.join(str(problem).split())[:200]}); it gets "
                "what Carpal writes, without the file's solver settings.",
                UserWarning,
                stacklevel=3,
            )
    try:
        with silence():
            solid, odd = with_solid_inertias(model)
            spec = mujoco.MjSpec.from_string(solid.to_mjcf())
            add_pairs(spec, pairs or {})
            compiled = spec.compile()
            restore_inertias(compiled, odd)
            return compiled, False
    except ValueError as problem:
        raise ModelError(f"MuJoCo refused model '{model.name}': {' '.join(str(problem).split())[:200]}.") from None


def _from_files(model: Model) -> Any:
    """The spec of the model's own files."""
    first = model.native[0]
    alone = len(model.native) == 1 and first.mount is None and np.array_equal(first.X_MF, np.eye(4))
    if alone and not first.prefix and _owned(model, first) == len(model.bodies) and _whole(model, first):
        return _spec(first)
    specs = [_spec(part) for part in model.native]
    world = _rest(model)
    for part, spec in zip(model.native, specs, strict=True):
        for key in list(spec.keys):
            spec.delete(key)
        carrier = world.worldbody if part.mount is None else world.body(part.mount)
        frame = carrier.add_frame(pos=part.X_MF[:3, 3], quat=wxyz_from_rotation(part.X_MF[:3, :3]))
        world.attach(spec, prefix=part.prefix, frame=frame)
    for a, b in _exclusions_between(model):
        world.add_exclude(bodyname1=a, bodyname2=b)
    option = world.option
    for what in dir(option):
        if not what.startswith("_"):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(option, what, getattr(specs[0].option, what))
    return world


def _spec(part: NativeMjcf) -> Any:
    """The file's text, with names for everything that has none."""
    import mujoco

    spec = mujoco.MjSpec.from_string(part.text, include={name: text.encode() for name, text in part.files.items()})
    nameless = [thing for thing in (*spec.bodies, *spec.joints) if not thing.name]
    if nameless:
        spec.compile()  # gives everything its number
        for thing in nameless:
            names = part.joints if isinstance(thing, mujoco.MjsJoint) else ("world", *part.bodies)
            thing.name = names[thing.id]
    return spec


def _of_part(model: Model, part: NativeMjcf) -> set[str]:
    """The model's bodies that came from a file: those it names, and the massless ones between several joints of one body."""
    joints = {part.prefix + name for name in part.joints}
    named = {part.prefix + name for name in part.bodies}
    return {body.name for body in model.bodies if body.name in named or body.joint.name in joints}


def _owned(model: Model, part: NativeMjcf) -> int:
    return len(_of_part(model, part))


def _whole(model: Model, part: NativeMjcf) -> bool:
    """Whether no shape of the world was put beside the file by a scene."""
    return not any(shape.body is None and not shape.name.startswith(part.prefix) for shape in model.shapes)


def _rest(model: Model) -> Any:
    """A spec of everything that did not come from a file: mounts, objects, fixed shapes, robots of the catalogue."""
    import mujoco

    gone: set[str | None] = set()
    for part in model.native:
        gone |= _of_part(model, part)
    prefixes = tuple(part.prefix for part in model.native)

    def stays(body: str | None, name: str) -> bool:
        return body not in gone and not (name.startswith(prefixes) and body in {None, *(p.mount for p in model.native)})

    base = Body(BASE, None, Joint(f"{BASE}/fixed"), Inertia.nothing())
    bodies = tuple(body for body in model.bodies if body.name not in gone)
    joints = {body.joint.name for body in bodies}
    shapes = tuple(shape for shape in model.shapes if stays(shape.body, shape.name))
    frames = tuple(frame for frame in model.extra_frames if stays(frame.body, frame.name))
    known = {body.name for body in bodies} | {shape.name for shape in shapes}
    tendons = tuple(tendon for tendon in model.tendons if tendon.joints and set(tendon.joints) <= joints)
    labels = {tendon.name for tendon in tendons}
    kept = {body.name for body in bodies}
    rest = Model(
        model.name,
        (*bodies, base),
        extra_frames=frames,
        tool=BASE,
        gravity=model.gravity,
        shapes=shapes,
        exclusions=tuple(
            (a, b)
            for a, b in model.exclusions
            if all(x in known or any(k.startswith(f"{x}/") for k in known) for x in (a, b))
        ),
        contact_pairs=tuple(pair for pair in model.contact_pairs if set(pair) <= {shape.name for shape in shapes}),
        couplings=tuple(c for c in model.couplings if c.follower in joints),
        loops=tuple(
            loop for loop in model.loops if loop.body_a in kept and (loop.body_b is None or loop.body_b in kept)
        ),
        tendons=tendons,
        actuators=tuple(a for a in model.actuators if a.joint in joints or a.tendon in labels),
    )
    spec = mujoco.MjSpec.from_string(rest.to_mjcf())
    for key in list(spec.keys):
        spec.delete(key)
    return spec


def _exclusions_between(model: Model) -> list[tuple[str, str]]:
    """Pairs of bodies of different files, or of a file and the rest, that may not touch."""
    home: dict[str, int] = {"world": -1}
    for number, part in enumerate(model.native):
        home |= dict.fromkeys(_of_part(model, part), number)
    bodies, geoms = contact_elements(model, set(), {})
    mixed = [pair for pair in bodies if home.get(pair[0], -1) != home.get(pair[1], -1)]
    owner = {shape.name: shape.body or "world" for shape in model.shapes}
    if any(home.get(owner[a], -1) != home.get(owner[b], -1) for a, b in geoms):
        raise ModelError("a scene that excludes some shapes of a body from others cannot be said beside the files")
    return mixed


def _check_joints(model: Model, compiled: Any) -> None:
    """Refuse what does not move as the model does."""
    import mujoco

    if (compiled.nq, compiled.nv) != (model.nq, model.nv):
        raise ModelError(f"it has {compiled.nv} degrees of freedom, the model {model.nv}")
    for name in model.joint_names:
        if mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_JOINT, name) < 0:
            raise ModelError(f"it has no joint '{name}'")
