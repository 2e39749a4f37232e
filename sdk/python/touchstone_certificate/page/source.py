"""The product that a certificate node points to, by its canonical source alone; and which nodes of a page are judged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set

from ..address import parse_address
from ..checks import same_page
from ..describing import described
from ..pages import host_of, normalize_host, same_host
from .graph import Node

_PRODUCT_PATH = re.compile(
    "/api/v1/mc4p/products/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/certificate", re.I
)
_MAX_JUDGED, _MAX_CHECKED = 8, 64


@dataclass(frozen=True)
class Source:
    """`kind` is ok, with the product; invalid or mismatch, with a code and what it is about."""

    kind: str
    product_id: str = ""
    code: str = ""
    detail: str = ""


def canonical_source(node: Mapping[str, Any], base_urls: Sequence[str]) -> Source:
    """Reads `svc:status.canonicalSource`, which must be an address of one of these services; never fetches anything."""
    source = _member(_member(node, "svc:status"), "canonicalSource")
    text = _member(source, "url")
    if not isinstance(text, str):
        return Source("invalid", code="canonical_source_missing", detail="svc:status.canonicalSource.url")
    address = parse_address(text)
    bases = [base for base in map(parse_address, base_urls) if base is not None]
    if address is None:
        is_other = re.match(r"[\x00-\x20]*(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", text, re.I)
        code = "canonical_source_not_https" if is_other else "canonical_source_url_invalid"
        return Source("invalid", code=code, detail=text)
    if address.scheme != "https" and not any(base.scheme == address.scheme for base in bases):
        return Source("invalid", code="canonical_source_not_https", detail=text)
    of_host = [base for base in bases if base.authority == address.authority]
    if not of_host:
        return Source("mismatch", code="canonical_host_foreign", detail=address.authority)
    if not any(base.scheme == address.scheme for base in of_host):
        if address.scheme != "https":
            return Source("invalid", code="canonical_source_not_https", detail=text)
        # https at the host of a service that is trusted over http is another issuer
        return Source("mismatch", code="canonical_scheme_foreign", detail="https://" + address.authority)
    method = _member(source, "httpMethod")
    has_method = isinstance(source, dict) and "httpMethod" in source
    if has_method and not (isinstance(method, str) and method == "GET"):
        return Source("invalid", code="canonical_source_method", detail=described(method))
    if not address.has_credentials and not address.query:
        for base in of_host:
            prefix = base.path[:-1] if base.path.endswith("/") else base.path
            found = _PRODUCT_PATH.fullmatch(address.path[len(prefix) :]) if address.path.startswith(prefix) else None
            if found is not None:
                return Source("ok", product_id=found.group(1).lower())
    return Source("invalid", code="canonical_source_path", detail=text)


def _member(node: Any, name: str) -> Any:
    return node.get(name) if isinstance(node, dict) else None


def distinct_nodes(nodes: Sequence[Node], text_of: Callable[[Node], Optional[str]]) -> List[Node]:
    """Without duplicates of earlier ones. Only nodes with the same proof are compared in full."""
    uses: Dict[Optional[str], int] = {}
    for node in nodes:
        uses[jwt_of(node)] = uses.get(jwt_of(node), 0) + 1
    seen: Set[str] = set()
    found = []
    for node in nodes:
        text = None if uses[jwt_of(node)] == 1 else text_of(node)
        if text is None or text not in seen:
            found.append(node)
        if text is not None:
            seen.add(text)
    return found


@dataclass(frozen=True)
class SelectedNode:
    """A node with its source."""

    node: Node
    source: Source
    position: int
    rank: int


ReadSigned = Callable[[str], Optional[Mapping[str, Any]]]
"""The claims of a proof that a trusted issuer signed, else None."""


def select_nodes(
    nodes: Sequence[Node], page_url: str, base_urls: Sequence[str], read_signed: ReadSigned
) -> List[SelectedNode]:
    """
    The nodes to judge, in the order of the page: all up to 8. Of more, all that are signed for this page (else for its host), which nobody
    else can make, so that added ones displace none; then up to 8 of the others.
    """
    ranked = _ranked(nodes, page_url, base_urls)
    if len(ranked) <= _MAX_JUDGED:
        return sorted(ranked, key=lambda one: one.position)
    of_page, of_host = _signed(ranked, page_url, read_signed)
    signed = of_page or of_host
    others = [one for one in ranked if one.position not in signed][: max(0, _MAX_JUDGED - len(of_page))]
    chosen = ([one for one in ranked if one.position in signed] + others)[:_MAX_CHECKED]
    return sorted(chosen, key=lambda one: one.position)


def _ranked(nodes: Sequence[Node], page_url: str, base_urls: Sequence[str]) -> List[SelectedNode]:
    """First those that claim a trusted service and this page; among equals, one for each product before a second of any."""
    seen: Set[str] = set()
    ranked = []
    for position, node in enumerate(nodes):
        source = canonical_source(node, base_urls)
        url = node.get("url")
        rank = 4
        if source.kind == "ok":
            rank = 0 if isinstance(url, str) and same_page(url, page_url) else 2
            rank += 1 if source.product_id in seen else 0
            seen.add(source.product_id)
        ranked.append(SelectedNode(node, source, position, rank))
    return sorted(ranked, key=lambda one: (one.rank, one.position))


def _signed(ranked: Sequence[SelectedNode], page_url: str, read_signed: ReadSigned) -> "tuple[Set[int], Set[int]]":
    """Positions of nodes signed for the page, and of those signed for its host, with the product that they name."""
    host = host_of(page_url)
    known: Dict[str, Optional[Mapping[str, Any]]] = {}
    of_page: Set[int] = set()
    of_host: Set[int] = set()
    for one in ranked:
        if len(of_page) == _MAX_CHECKED:
            break
        jwt = jwt_of(one.node)
        if one.source.kind != "ok" or jwt is None:
            continue
        if jwt not in known:
            if len(known) == _MAX_CHECKED:
                continue
            known[jwt] = read_signed(jwt)
        claims = known[jwt]
        if claims is None or claims["productId"].lower() != one.source.product_id:
            continue
        if same_page(claims["url"], page_url):
            of_page.add(one.position)
        elif same_host(normalize_host(claims["domain"]), host):
            of_host.add(one.position)
    return of_page, of_host


def jwt_of(node: Mapping[str, Any]) -> Optional[str]:
    """The proof of a node, if it is a text."""
    proof = node.get("proof")
    jwt = proof.get("jwt") if isinstance(proof, dict) else None
    return jwt if isinstance(jwt, str) else None
