"""What may happen to a goal: commands, and the pure reducer that turns one into events, or refuses
it."""
