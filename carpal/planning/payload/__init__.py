"""A payload that may turn about the gripper's axis: friction, the set of angles it may have, and what that set does to a way."""

from carpal._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
