"""The same authors, *Model-Agnostic Private Learning via Stability*, arXiv 1803.05101."""
