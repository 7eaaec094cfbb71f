"""Built-in robots, one file each."""
