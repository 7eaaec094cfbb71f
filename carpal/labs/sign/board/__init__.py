"""Motor boards: serial frames, the driver, a simulated board, and the player that shows letters on a robot hand."""
