"""Stereo cameras: camera models and files, calibration, triangulation, pose of four painted marks."""
