"""Data gloves: recordings, sensor maps, synthetic motions."""
