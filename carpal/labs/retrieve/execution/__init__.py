"""Execution of a pick-up in a process of its own, controlled and watched through a folder."""
