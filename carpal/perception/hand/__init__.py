"""Hands as 21 landmarks: files, camera tracker, data glove, depth frames, simulated human hands."""
