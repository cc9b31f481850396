"""Targets: what a compiled file becomes for a host. One module a target; `target` says what one is,
`registry` finds them, those that others install included."""
