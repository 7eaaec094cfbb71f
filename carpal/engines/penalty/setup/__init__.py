"""Set-up aids of the penalty engine: fall, hold and step tests, step-size study, gain tuning."""
