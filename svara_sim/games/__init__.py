"""Floor 2: the games. Each knows its rules, policies, histories and kernel; none knows another, a file or a plot.

`protocol` is all that the floors above know of a game; `registry` finds one by name.
"""
