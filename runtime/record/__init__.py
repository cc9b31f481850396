"""The durable record of a session's goal: its value, its JSON, its measure and its refusals."""
