"""Robots of the five theses and their relatives, one file each."""
