"""Notebooks rendered to self-contained pages: execution, provenance, pages, gallery and index."""
