"""The verbs of `goalspec goal`, a file for those that belong together."""
