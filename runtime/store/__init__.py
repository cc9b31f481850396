"""Where records live: the port, a store in memory, and one on SQL databases."""
