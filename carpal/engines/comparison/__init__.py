"""One scene in several engines: where they part, how each converges, what each costs, beside references."""
