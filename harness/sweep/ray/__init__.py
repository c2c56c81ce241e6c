"""Batches on Ray, a local one or a cluster: reached, watched, left without a trace."""
