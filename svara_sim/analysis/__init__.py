"""Floor 3: exact odds, estimates that carry their error, and comparisons of policies."""
