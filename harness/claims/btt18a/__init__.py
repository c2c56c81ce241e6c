"""Bassily, Thakkar, Thakurta, *Model-Agnostic Private Learning via Stability*, arXiv 1803.05101, 2018."""
