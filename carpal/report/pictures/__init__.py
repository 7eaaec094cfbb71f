"""Pictures (matplotlib) of robots, workspaces, solutions, linkages, impacts, payloads."""
