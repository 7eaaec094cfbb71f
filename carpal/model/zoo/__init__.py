"""Robots of other packages by the names people know."""
