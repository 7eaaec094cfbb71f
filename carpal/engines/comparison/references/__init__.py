"""References of the benchmark scenes, one file for each kind of motion; `by_name.py` lists them."""
