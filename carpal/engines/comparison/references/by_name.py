"""References of the benchmark scenes: closed forms, and integrations that use NumPy and SciPy only.

Each is a function of the times (rows) [s] that gives a `Reference`. The numbers of a scene are written again here.
"""

from carpal.engines.comparison.references import bouncing, rolling, sliding, standing, swinging

REFERENCES = {
    **sliding.REFERENCES,
    **bouncing.REFERENCES,
    **rolling.REFERENCES,
    **swinging.REFERENCES,
    **standing.REFERENCES,
}
