"""Whose kernels each GPU evidence was measured on: it grows stale when one of these changes, and only then."""

SPINE = ("spatial", "model", "kinematics", "dynamics")
ENGINES = (*SPINE, "control", "engines/rigid", "tasks/reach")
CONTACT = (*SPINE, "contact")
