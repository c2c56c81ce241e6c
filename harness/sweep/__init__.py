"""Spec → cells → batches of trials, in the process or on Ray → one table."""
