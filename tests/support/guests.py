"""Parts that a test brings to the registry, as a user's file would."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from types import ModuleType
from typing import Any

from harness import registry, sources

_numbers = count()


@contextmanager
def guest(**parts: Any) -> Iterator[None]:
    """Have these parts, by their attributes, for as long as it lasts."""
    module = ModuleType(f"guest{next(_numbers)}")
    vars(module).update(parts)
    sys.modules[module.__name__] = module
    sources.serve({module.__name__: sources.Source(b"", f"{module.__name__}.py")})
    registry.add(module.__name__)
    try:
        yield
    finally:
        registry.remove(module.__name__)
        sources.withdraw([module.__name__])
        del sys.modules[module.__name__]
