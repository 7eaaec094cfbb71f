# %% [markdown]
# # A run is a recording

# %%
import carpal

result = carpal.make_task("reach", target=(0.5, 0.2, 0.4)).run(seed=3)
result

# %% [markdown]
# # It is one Parquet file

# %%
from pathlib import Path
from tempfile import mkdtemp

path = result.recording.save(Path(mkdtemp()) / "run.parquet")
again = carpal.Recording.load(path)
again.check()

# %% [markdown]
# # It shows itself as a replay
# In Jupyter `again` alone shows the 3-D replay, with a time slider, and it stays in the saved notebook.
# Here a picture of its end stands for it, so that this file stays small.

# %%
replay = carpal.view(again)
print(replay)
again.model.plot(q=again.q[-1])

# %%
again.plot()
