"""Redundant arms: arm angle, its feasible intervals, bands along a path, self-motion."""
