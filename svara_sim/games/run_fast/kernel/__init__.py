"""The compiled part of Run Fast: arrays, scalars and NamedTuples only.

Letters in shapes: D deals, S = 3 seats, M = 192 slots of the move table, W worlds, P plies.
"""
