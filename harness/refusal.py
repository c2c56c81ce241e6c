"""Why something cannot be run as it was asked for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """Why a setting is refused. message: what is wrong and what is allowed. parameter: the one at fault."""

    message: str
    parameter: str
