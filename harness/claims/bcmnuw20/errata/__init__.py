"""Errata of BCMNUW20, one cause a file."""
