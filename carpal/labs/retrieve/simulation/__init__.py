"""The simulated truth: what a seed draws, the true scene, executed motions, playback of their rows."""
