"""Bassily, Cheu, Moran, Nikolov, Ullman, Wu, *Private Query Release Assisted by Public Data*, ICML 2020."""
