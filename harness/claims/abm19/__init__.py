"""*Limits of Private Learning with Access to Public Data* (Alon, Bassily, Moran 2019)."""
