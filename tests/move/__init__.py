"""A test of a move: what the package computed before its parts were moved and rewritten, it computes after."""
