"""goalspec."""
