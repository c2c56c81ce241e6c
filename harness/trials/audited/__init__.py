"""An audit of any mechanism: its sort says how it is run on neighbours, one file a sort of answer."""
