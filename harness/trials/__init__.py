"""One trial = a pure function (cell, seed, index) → one row per mechanism."""
