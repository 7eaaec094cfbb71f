"""Inverse kinematics composed of targets and limits."""
