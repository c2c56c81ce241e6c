"""For all tests: hypothesis tries the same examples in every run, keeps none on disk, and never judges by the clock."""

from hypothesis import settings

settings.register_profile("harness", derandomize=True, deadline=None)
settings.load_profile("harness")
