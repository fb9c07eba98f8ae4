"""Svara: rules, points, policies, histories, and the kernel that plays it."""
