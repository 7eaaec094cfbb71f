"""Contacts with a state: modes, frictional collisions, joint-space dynamics (thesis 2)."""
