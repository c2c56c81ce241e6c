"""Which mechanism to use for what one has, and what comes out: `harness advise`."""
