"""Two calibrated cameras: models and their files, calibration, triangulation, the pose of four painted marks."""
