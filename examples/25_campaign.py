"""A campaign: how long must a move be, and how firm its control, to reach and hold a point?"""

from carpal.tasks import campaign, causes, success_interval, success_map

result = campaign(
    "reach",
    {"spread": 0.3},  # the arm starts somewhere else with every seed
    factors={"duration": {"grid": [1.5, 3.5, 5]}, "stiffness": [20.0, 60.0, 180.0]},
    seeds=6,
    out="out/reach-study",  # resumable: a restarted run with the same folder runs only what is missing
)
print(result)

low, high = success_interval(result.succeeded, result.finished)
print(f"the rate of success lies between {low:.0%} and {high:.0%} (95 %)")
durations, stiffnesses, rates, _ = success_map(result, "duration", "stiffness")
print("stiffness | success at a duration of " + ", ".join(f"{d:g}" for d in durations) + " s")
for stiffness, row in zip(stiffnesses, rates, strict=True):
    print(f"{stiffness:9g} | " + "  ".join(f"{rate:4.0%}" for rate in row))
for why, count, first in causes(result)[:3]:
    print(f"{count} times, first in case {first}: {why}\n    {result.command(first)}")
assert result.finished == 90 and rates[0, 0] < rates[-1, -1]
