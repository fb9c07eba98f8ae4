"""Floor 1: what every game and every analysis stands on - compilation, random streams, cards, errors."""
