"""What a table holds, read and written: its columns, its rows by cell and mechanism, as one or piece by piece."""
