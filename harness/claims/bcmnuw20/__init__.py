"""*Private Query Release Assisted by Public Data* (Bassily, Cheu, Moran, Nikolov, Ullman, Wu 2020)."""
