"""Engines: drivers of the token state machine, which itself has no I/O, threads or clock."""
