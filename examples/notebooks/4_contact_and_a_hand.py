# %% [markdown]
# # A hand holds a box
# Every contact has a mode: sticking, rolling, sliding or free, and the step carries the residuals that prove it.

# %%
import carpal

task = carpal.make_task("dexterity", example=1)
result = task.run(seed=0)
result

# %%
result.recording.plot()

# %%
model = result.recording.model
model.plot(q=result.recording.q[-1])

# %%
result.recording.modes().to_pandas().groupby("mode").size()
