"""The version of this package, written by `npm version` of the repository."""

VERSION = "0.1.0"

VERIFIER = "touchstone-python/" + VERSION
"""What results name as their verifier."""
