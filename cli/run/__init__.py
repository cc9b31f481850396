"""What a run is driven with, and what is seen of it on a terminal and in a pipe."""
