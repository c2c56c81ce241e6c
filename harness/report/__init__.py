"""Tables → verdicts and figures."""
