"""What a table holds, read and written: its columns, its rows by cell and mechanism, as one or piece by piece."""

MOST_ROWS = 10**7
"""Of a table. Specs are held to it too, and those who read a spec alone need no library of tables."""
