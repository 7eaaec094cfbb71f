"""Recordings and trajectories in the formats of other tools: CSV, MCAP (Foxglove and ROS 2), rerun, USD."""
