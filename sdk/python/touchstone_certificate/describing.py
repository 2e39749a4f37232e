"""How values of a document are told in a result: short, and never a structure of somebody else."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from .canonical import canonical_number
from .encoding import well_formed


def described(value: Any) -> str:
    """A primitive by its text, a list or object by its kind."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, (int, float)):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return canonical_number(value)
    if isinstance(value, (list, tuple)):
        return "a list"
    return value if isinstance(value, str) else "an object"


def shortened(text: str) -> str:
    """At most 200 characters (UTF-16), without lone surrogates."""
    return text[:200] if text.isascii() else well_formed(_first_units(text, 200))


def _first_units(text: str, units: int) -> str:
    return text[:units].encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass")


def utc(seconds: float) -> str:
    """Seconds since 1970 as RFC 3339 with milliseconds; the number itself where it is no time of the calendar."""
    try:
        moment = datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return described(seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)
