"""What works a turn: a command-line agent."""
