"""Bassily, Thakkar, Thakurta, *Model-Agnostic Private Learning*, NeurIPS 2018."""
