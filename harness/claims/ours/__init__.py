"""What is in no paper: baselines, repaired constants, and that the code does what the theory is computed for."""
