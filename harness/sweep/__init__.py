"""Spec → cells → batches of trials, in the process or on Ray → one table.

- `files`: paths on disk and in object stores: read, written whole, named, known as this program's
- `plugins`: users' files, what they import and read, and what they may not do
- `table`: what a table holds, and how it is read and written
- `spec`: a spec, read and checked, with its cells
- `run`: what is missing of a table, run in batches and kept
- `ray`: batches on Ray
"""
