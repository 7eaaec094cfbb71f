"""Inverse kinematics: numeric, and closed forms with every branch."""
