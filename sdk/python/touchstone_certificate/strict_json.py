"""JSON as every parser must understand it: no constants beyond JSON, numbers as doubles, any depth."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Dict, List, Optional, Tuple


class Refused(ValueError):
    """A text that is not JSON, or that two readers could understand differently."""


def read_json(text: str, *, unique: bool = False) -> Any:
    """
    Parses a JSON text of any depth. Every number becomes a double, as in most languages, so that 9007199254740993 and 1e400 mean the
    same here.

    :param unique: whether a name that an object has twice is refused
    :raises ValueError: if it is none
    """
    hook: Dict[str, Any] = {"object_pairs_hook": _unique} if unique else {}
    try:
        return json.loads(text, parse_int=float, parse_float=float, parse_constant=_no_constant, **hook)
    except RecursionError:
        return _read_deep(text, unique)


def strict_object(data: bytes) -> Optional[Dict[str, Any]]:
    """Bytes as one JSON object in UTF-8, without byte order mark and without a name twice at any depth; None for anything else."""
    try:
        value = read_json(data.decode("utf-8"), unique=True)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("a name stands twice")
    return found


def _no_constant(name: str) -> None:
    raise Refused(name + " is no JSON")


_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


def _read_deep(text: str, unique: bool) -> Any:
    """The same without recursion, for text that is nested more deeply than the interpreter may call itself."""
    whole: List[Any] = []
    stack: List[Any] = [whole]
    names: List[str] = [""]

    def put(value: Any) -> None:
        holder = stack[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif unique and names[-1] in holder:
            raise Refused("a name stands twice")
        else:
            holder[names[-1]] = value

    def name_from(at: int) -> int:
        if text[at : at + 1] != '"':
            raise Refused("a name is missing")
        names[-1], at = scanstring(text, at + 1, True)
        at = _after_space(text, at)
        if text[at : at + 1] != ":":
            raise Refused("a colon is missing")
        return at + 1

    at, is_value_next = 0, True
    while True:
        at = _after_space(text, at)
        sign = text[at : at + 1]
        if is_value_next and sign in ("{", "["):
            value: Any = {} if sign == "{" else []
            put(value)
            stack.append(value)
            names.append("")
            at = _after_space(text, at + 1)
            if text[at : at + 1] == ("}" if sign == "{" else "]"):
                is_value_next = False
            elif sign == "{":
                at = name_from(at)
        elif is_value_next:
            scalar, at = _scalar(text, at)
            put(scalar)
            is_value_next = False
        elif len(stack) == 1:
            if at != len(text):
                raise Refused("something follows the value")
            return whole[0]
        else:
            is_list = isinstance(stack[-1], list)
            if sign == ",":
                at, is_value_next = _after_space(text, at + 1), True
                at = at if is_list else name_from(at)
            elif sign == ("]" if is_list else "}"):
                stack.pop()
                names.pop()
                at += 1
            else:
                raise Refused("neither comma nor end")


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _scalar(text: str, at: int) -> Tuple[Any, int]:
    if text[at : at + 1] == '"':
        value, end = scanstring(text, at + 1, True)
        return value, end
    found = _NUMBER.match(text, at)
    if found is not None:
        return float(found.group()), found.end()
    for word, value in _WORDS.items():
        if text.startswith(word, at):
            return value, at + len(word)
    raise Refused("a value is missing")
