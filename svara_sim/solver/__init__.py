"""Equilibria and best responses of two-player games that are given as trees; see `svara_sim.games.game_tree`."""
