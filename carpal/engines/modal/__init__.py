"""Contacts with a state: modes, frictional collisions, joint-space dynamics (Chan 1998)."""
