"""Signing hands: tendon fingers, parallel wrist, commands of handshapes, collision-free finger motions."""
