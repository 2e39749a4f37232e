"""The certificate nodes in the JSON-LD of a page: Products with `svc:issuedFor`, wherever they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .elements import Element
from .repair import parse_json_ld

Node = Dict[str, Any]

_MAX_BLOCKS, _MAX_BLOCK = 200, 2_000_000
_MAX_NODES, _MAX_DEPTH, _MAX_CERTIFICATES, _MAX_CONTEXTS, _MAX_TYPES = 50_000, 64, 256, 100, 20
_PREFIX, _ISSUED_FOR = "svc:", "svc:issuedFor"
_SCHEMA_PREFIX = re.compile(r"(?:https?://(?:www\.)?(?:schema\.org|data-vocabulary\.org)/|schema:|s:)", re.I)
_SCHEMA_ORG = re.compile(r"https?://(www\.)?schema\.org/?", re.I)


def json_ld_blocks(elements: Sequence[Element], findings: List[str]) -> List[Any]:
    """The values of the blocks that can be read; a broken one affects no other."""
    values: List[Any] = []
    number = 0
    for element in elements:
        kind = element.attributes.get("type", "").split(";", 1)[0].strip().lower()
        if element.name != "script" or kind != "application/ld+json":
            continue
        number += 1
        if number > _MAX_BLOCKS:
            findings.append("json_ld_blocks_capped")
            break
        if len(element.text) > _MAX_BLOCK:
            findings.append("json_ld_too_large")
        elif element.text.strip():
            parsed = parse_json_ld(element.text)
            if parsed is None:
                findings.append("json_ld_broken")
            else:
                values.append(parsed[0])
                findings += ["json_ld_repaired"] if parsed[1] else []
    return values


@dataclass(frozen=True)
class _Inherited:
    """A `@context` with the one around it."""

    context: Any
    around: "Optional[_Inherited]"


def certificates_in(values: Sequence[Any], namespaces: Sequence[str], findings: List[str]) -> List[Node]:
    """
    The certificate nodes in the order of the page, at most 256. Full IRIs in one of these namespaces are renamed to `svc:` names, and the
    `@context` of a node contains what it inherits.
    """
    names = [_ISSUED_FOR] + [namespace + "issuedFor" for namespace in namespaces]
    renamer = _Renamer(namespaces)
    found: List[Node] = []
    for node, inherited in _nodes_in(values, findings):
        if "Product" not in _types_of(node) or not any(name in node for name in names):
            continue
        if len(found) == _MAX_CERTIFICATES:
            findings.append("certificates_capped")
            break
        found.append(_with_inherited(renamer.node(node, 0), inherited))
    return found


def _nodes_in(values: Sequence[Any], findings: List[str]) -> List[Tuple[Node, Optional[_Inherited]]]:
    """All objects of all blocks in the order of the page, without recursion."""
    nodes: List[Tuple[Node, Optional[_Inherited]]] = []
    stack: List[Tuple[Any, int, Optional[_Inherited]]] = [(value, 0, None) for value in reversed(values)]
    count = 0
    while stack:
        value, depth, inherited = stack.pop()
        if not isinstance(value, (dict, list)):
            continue
        count += 1
        if count > _MAX_NODES or depth > _MAX_DEPTH:
            if "graph_capped" not in findings:
                findings.append("graph_capped")
            if count > _MAX_NODES:
                break
            continue
        if isinstance(value, list):
            stack += [(entry, depth + 1, inherited) for entry in reversed(value[:_MAX_NODES])]
            continue
        nodes.append((value, inherited))
        context = value.get("@context")
        inner = inherited if context is None else _Inherited(context, inherited)
        stack += [(member, depth + 1, inner) for name, member in reversed(list(value.items())) if name != "@context"]
    return nodes


def _types_of(node: Node) -> List[str]:
    stated = node.get("@type")
    types = stated[:_MAX_TYPES] if isinstance(stated, list) else [stated]
    return [_SCHEMA_PREFIX.sub("", one, count=1).strip() if _SCHEMA_PREFIX.match(one) else one.strip() for one in types if isinstance(one, str)]


def _with_inherited(node: Node, inherited: Optional[_Inherited]) -> Node:
    around: List[Any] = []
    while inherited is not None:
        entries = inherited.context if isinstance(inherited.context, list) else [inherited.context]
        # nothing is known of a longer one, which None says
        around = ([None] if len(entries) > _MAX_CONTEXTS else list(entries)) + around
        if len(around) > _MAX_CONTEXTS:
            return {**node, "@context": [None]}
        inherited = inherited.around
    if all(isinstance(entry, str) and _SCHEMA_ORG.fullmatch(entry) for entry in around):
        return node
    own = node.get("@context")
    return {**node, "@context": around + (own if isinstance(own, list) else [] if own is None else [own])}


class _Renamer:
    """Names full IRIs of the services by the prefix. Values under both spellings become a list, so that neither hides the other."""

    def __init__(self, namespaces: Sequence[str]) -> None:
        self._namespaces = [namespace for namespace in namespaces if namespace]
        self._renamed: Dict[int, Tuple[Any, Any]] = {}

    def node(self, node: Mapping[str, Any], depth: int) -> Node:
        named: Node = {}
        for key, value in node.items():
            space = next((one for one in self._namespaces if key.startswith(one)), None)
            name = key if space is None else _PREFIX + key[len(space) :]
            member = self._value(value, depth + 1)
            named[name] = [named[name], member] if name in named else member
        return named

    def _value(self, value: Any, depth: int) -> Any:
        if not isinstance(value, (dict, list)) or depth > _MAX_DEPTH:
            return value
        # certificates may be nested: each value is renamed once, and kept, so that its id stays its own
        known = self._renamed.get(id(value))
        if known is None:
            named = [self._value(entry, depth + 1) for entry in value] if isinstance(value, list) else self.node(value, depth)
            known = self._renamed[id(value)] = (value, named)
        return known[1]
