"""The compiled core of Svara: arrays, scalars and named tuples, one file for each phase of a deal.

Dimension letters in the docstrings: S seats at the table, D deals of a block, G batches of a block, E rows of
policy tables, R rounds of a deal. Seats are numbered 0 .. S-1 clockwise; *table order* starts left of the dealer.
"""
