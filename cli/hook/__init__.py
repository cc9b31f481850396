"""The verbs of `goalspec hook`, a module each."""
