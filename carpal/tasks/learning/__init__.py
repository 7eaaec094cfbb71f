"""Tasks as environments of reinforcement learning."""
