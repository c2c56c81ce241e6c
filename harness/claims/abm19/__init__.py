"""Alon, Bassily, Moran, *Limits of Private Learning with Access to Public Data*, NeurIPS 2019."""
