"""Mechanisms in full coordinates: free bodies held together by points, springs and actuators, loops included."""
