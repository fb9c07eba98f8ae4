"""Datasets of runs: manifests, part files, and reading them again, on a disk or in an object store."""
