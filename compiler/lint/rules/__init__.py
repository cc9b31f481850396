"""The rules, one a file, named as their codes are."""
