"""From cells to a table: what is missing, in batches, each run and kept; with what the rows depend on, and what they cost."""
