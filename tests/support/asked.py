"""What a claim asks of rows that are held."""

import pandas as pd

from harness.claims.engine.claim import HeldQuestion, Question
from harness.claims.engine.event_seen import NearSeen


def rows_of(question: Question) -> pd.DataFrame:
    """The rows that a question is to."""
    assert isinstance(question, HeldQuestion | NearSeen)
    return question.rows
