"""The library that ships with goalspec, in its own language: fact packs and the captains' presets
(`packs/NAME/VERSION.goal`, imported by `use std "NAME/VERSION"`), and worked examples with facts
that meet and miss them. A released pack is part of other people's contracts and never changes: what
has to differ becomes the next version, in a file beside it.
"""
