"""Every error that a user can cause: what was wrong, the value, the valid choices, in one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CarpalError(ValueError):
    """Parent of every error that a user can cause."""


class InputError(CarpalError):
    """A number, shape, type or option that cannot be used."""


class UnknownNameError(CarpalError):
    """A name that does not exist; the message offers the nearest ones."""


class ModelError(CarpalError):
    """A robot description that cannot be read, or that makes no sense."""


class MissingInertiaError(CarpalError):
    """Dynamics were asked of a model that has no masses."""


class UnreachableError(CarpalError):
    """A goal that the robot cannot reach."""


class DeviceError(CarpalError):
    """A device that is not there, or that fails."""


class DivergedError(CarpalError):
    """A step that left the numbers that mean anything; `recording` holds what was recorded so far, where there is any."""

    recording: object = None


class PolicyError(CarpalError):
    """A policy that returned something that is no control; `recording` holds what was recorded so far."""

    recording: object = None


class RecordingError(CarpalError):
    """A recording that cannot be written or read; `recording` holds what was recorded so far, where there is any."""

    recording: object = None


def unknown_name(kind: str, name: object, choices: Iterable[str]) -> UnknownNameError:
    """The error for a name that is not among the choices."""
    known = [str(choice) for choice in choices]
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f" did you mean '{near[0]}'?" if near else ""
    listed = ", ".join(known[:20]) + (f", ... ({len(known)} in all)" if len(known) > 20 else "")
    return UnknownNameError(f"unknown {kind} '{name}';{hint} valid: {listed or 'none'}.")
