"""Alphabet, behaviour and driver files: TOML tables and their readers."""
