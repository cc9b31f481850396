"""Lint: what a file may say and a careful author would not, one rule a file.

A rule looks at the tree together with what it means, after every check of the language. `catalogue`
lists the rules, `linter` runs them over files, `suppression` and `baseline` say which findings stay
silent and why, `fixing` applies what a finding offers.
"""
