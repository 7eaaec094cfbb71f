# %% [markdown]
# # Load a robot and see it
# A robot comes from the catalogue, from another package, or from a URDF or MJCF file.

# %%
import carpal

arm = carpal.load("panda")  # or carpal.load("robot.urdf")
print(arm)

# %% [markdown]
# # A picture needs no browser
# `model.plot()` is a matplotlib figure.

# %%
arm.plot()

# %% [markdown]
# # A page with sliders and a target to drag
# In Jupyter the page stands below the cell; `page.url` opens in any browser.

# %%
page = carpal.view(arm)
page

# %%
page.q = page.q + 0.1  # the page follows
page.close()

# %%
hand = carpal.load("cuhk_hand")
hand.plot()
