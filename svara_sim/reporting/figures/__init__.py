"""Figures: estimates with their intervals, distributions, heat maps and panels."""
