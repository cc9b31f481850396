"""`python -m goalspec`."""

from .cli import main

main()
