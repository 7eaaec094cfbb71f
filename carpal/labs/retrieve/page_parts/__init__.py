"""Parts of the pick-up page: stereo images to click in, panel, 3-D view."""
