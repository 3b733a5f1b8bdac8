"""What tools that evaluate write, one file each: how its content is recognized, and which scores it holds.

A new one is a module with a `TOOL`, named in `registry.TOOLS`.
"""
