"""MuJoCo behind the engine interface."""
