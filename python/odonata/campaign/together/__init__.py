"""One simulation on several processes, which may be on several machines."""
