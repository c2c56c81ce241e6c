"""Spec → cells → batches of trials on Ray → one table."""
