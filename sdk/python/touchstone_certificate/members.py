"""Whether the members of a document are those that its proof binds (docs/format.md, section 4)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from .address import resolve, written
from .canonical import canonical_json
from .context import DocumentContext, listed, without_schema_org
from .describing import described
from .encoding import sha256_base64url

LOG_PROOF = "svc:logProof"
"""Where the proof is logged: made after the proof, which therefore does not bind it."""

_MEDIA_ID = "svc:issuedFor.mediaID"
_INNER = ("@nest", "@included", "@graph", "@reverse")
_MAX_DEPTH, _MAX_MEMBERS, _MAX_IDS = 64, 1000, 5000


@dataclass(frozen=True)
class Form:
    """The structure of the documents of a kind."""

    type: str
    repeated: Tuple[str, ...]
    """Members that repeat claims."""
    issued_for: Tuple[str, ...]
    """Members that `svc:issuedFor` may have."""
    digested: Tuple[str, ...]
    """All other members that such a document may have."""
    proof: Mapping[str, str]
    """Members of `proof` besides `jwt`; an empty value follows from the proof."""


_OF_IMAGE = (_MEDIA_ID, "encodingFormat", "width", "height", "svc:status", "verification")
_ISSUED_FOR_IMAGE = ("domain", "assetId", "mediaID", "productID", "url")
_SIGNATURE = {"type": "JsonWebSignature2020", "algorithm": "RS256"}
FORMS: Mapping[str, Form] = {
    "product": Form(
        "Product",
        ("productID", "url", "svc:issuedFor", "svc:trust"),
        ("domain", "productID"),
        ("svc:status", "svc:record", "svc:images", "additionalProperty", "verification"),
        _SIGNATURE,
    ),
    "asset": Form(
        "ImageObject",
        ("contentUrl", "svc:issuedFor"),
        _ISSUED_FOR_IMAGE,
        _OF_IMAGE + ("uploadDate", "svc:contentCredentials", "svc:nft"),
        {**_SIGNATURE, "proofPurpose": "assertionMethod", "verificationMethod": ""},
    ),
    "image": Form(
        "MediaObject",
        ("contentUrl", "imageId", "svc:issuedFor"),
        _ISSUED_FOR_IMAGE,
        _OF_IMAGE + ("contentCredentials", "cryptographicProof"),
        {"type": "JwtProof2020"},
    ),
}


@dataclass(frozen=True)
class Alteration:
    """A member that differs: what was issued, and what was found."""

    expected: str
    actual: str


class Comparison:
    """A document under the names by which its members were issued, and its first member that differs."""

    def __init__(self, document: Dict[str, Any], kind: str, claims: Mapping[str, Any], kid: str) -> None:
        self.document = document
        self.altered: Optional[Alteration] = None
        self.is_context_foreign = False
        self._form = FORMS[kind]
        url = claims.get("url")
        self._url: str = url if isinstance(url, str) else ""
        namespace, digests = claims["namespace"], claims["members"]
        context = self._context = DocumentContext(document.get("@context"), namespace)
        if not context.is_ours:
            # it may be extended, and inherited in the page
            self._differs("@context of schema.org, with svc for " + namespace, document.get("@context"))
            return
        self.is_context_foreign = context.is_foreign
        self._name_members()
        self._compare_fixed("%s/api/v1/.well-known/jwks.json#%s" % (described(claims.get("iss")), kid))
        if self.altered is None:
            self._compare_digests(digests)

    def _differs(self, expected: str, actual: Any) -> None:
        if self.altered is None:
            self.altered = Alteration(expected, described(actual))

    def _is_ours(self, name: str) -> bool:
        form = self._form
        is_own = name.startswith("svc:") and name != LOG_PROOF
        return is_own or name == "proof" or name in form.repeated or name in form.digested

    def _text(self, value: Any) -> Optional[str]:
        return canonical_json(value, self._context.namespace)

    def _name_members(self) -> None:
        """Names members as they were issued, and finds what would state more about ours than the document does."""
        document, context = self.document, self._context
        if len(document) > _MAX_MEMBERS:
            return self._differs("at most %d members" % _MAX_MEMBERS, document)
        named: Dict[str, Any] = {}
        is_one = True
        for spelling, value in document.items():
            name = context.name_of(spelling)
            known = named.get(name)
            if known is None:
                named[name] = value
            elif name == "@type":
                named[name] = listed(known) + listed(value)
            elif is_one and value is not None and self._is_ours(name):
                text = self._text(known)
                is_one = text is not None and text == self._text(value)
                if not is_one:
                    self._differs("one " + _shown(name), value)
            if name in _INNER and _has_member(value, self._adds_to(name)):
                self._differs("no members in " + name, value)
        self.document = named
        self._find_redefinitions(named)
        if named.get("@id") is not None and self._restates(document, named["@id"]):
            self._differs("no other object with its @id", named["@id"])
        return None

    def _adds_to(self, keyword: str) -> "_Test":
        barred = ("@context", "@id") if keyword == "@nest" else ("@context",)

        def adds(inner: str, _value: Any, _node: Mapping[str, Any]) -> bool:
            name = self._context.name_of(inner)
            return self._is_ours(name) or name in barred

        return adds

    def _find_redefinitions(self, named: Mapping[str, Any]) -> None:
        context = self._context
        if not context.terms:
            return
        text = self._text({name: value for name, value in named.items() if self._is_ours(name)})

        def is_used(name: str) -> bool:
            if name[:1] == "@" or name == self._form.type or self._is_ours(name) or text is None:
                return True
            return json.dumps(name, ensure_ascii=False) in text

        for term in context.terms:
            before, after = context.name_of(term, False), context.name_of(term)
            is_changed = is_used(before) or is_used(after) if context.changes_values else before != after and is_used(before)
            if is_changed:
                self._differs("@context without " + _shown(term), named.get("@context"))

    def _restates(self, document: Mapping[str, Any], own_id: Any) -> bool:
        """Whether an object among the members of others states something about the @id of the document."""
        context, ids = self._context, 0

        def id_of(text: Any) -> str:
            iri = context.without_prefix(text) if isinstance(text, str) else ""
            address = resolve(iri, self._url)
            return iri if address is None else written(address)

        def restates(inner: str, value: Any, node: Mapping[str, Any]) -> bool:
            nonlocal ids
            name = context.name_of(inner)
            if name == "@context":
                return without_schema_org(value) != ""
            if context.changes_values or name == "@reverse":
                return True
            if name != "@id" or not isinstance(value, str):
                return False
            ids += 1
            is_self = ids > _MAX_IDS or id_of(value) == self_id
            return is_self and not all(context.name_of(one) in ("@id", "@type") for one in node)

        self_id = id_of(own_id)
        return any(
            _has_member(value, restates)
            for spelling, value in document.items()
            for name in [context.name_of(spelling)]
            if not self._is_ours(name) and not name.startswith("@")
        )

    def _compare_fixed(self, key_address: str) -> None:
        """What has a fixed value, follows from the proof, or may have a fixed set of names."""
        form, document = self._form, self.document
        stated = document.get("@type")
        types = listed(form.type if stated is None else stated)
        if not any(without_schema_org(one) == form.type or (isinstance(one, str) and one == form.type) for one in types):
            self._differs("@type " + form.type, types)
        issued_for = document.get("svc:issuedFor")
        for name, value in issued_for.items() if isinstance(issued_for, dict) else ():
            if name not in form.issued_for:
                self._differs("no %s in svc:issuedFor" % _shown(name), value)
        proof = document.get("proof")
        for name, value in proof.items() if isinstance(proof, dict) else ():
            fixed = form.proof.get(name)
            if name == "jwt" or value is None or (isinstance(value, str) and value == (key_address if fixed == "" else fixed)):
                continue
            self._differs("proof.%s as it was issued" % _shown(name), value)

    def _compare_digests(self, digests: Mapping[str, str]) -> None:
        """Members may be left out, and others may add members under names that are not ours."""
        form = self._form
        own = [name for name in self.document if name.startswith("svc:") and name != LOG_PROOF and name not in form.repeated]
        added = [name for name in form.digested + tuple(own) if name not in digests]
        for name in list(digests) + added:
            value = self._member(name)
            if value is None:
                continue
            if name not in digests:
                return self._differs("no " + _shown(name), value)
            text = self._text(value)
            if text is None or sha256_base64url(text.encode("utf-8")) != digests[name]:
                return self._differs(_shown(name) + " as it was issued", value)
        return None

    def _member(self, name: str) -> Any:
        if name != _MEDIA_ID:
            return self.document.get(name)
        issued_for = self.document.get("svc:issuedFor")
        return issued_for.get("mediaID") if isinstance(issued_for, dict) else None


_Test = Callable[[str, Any, Mapping[str, Any]], bool]


def _has_member(value: Any, test: _Test, depth: int = 0) -> bool:
    """Whether this is true of a member of an object in this value, at any depth; true for one nested too deeply."""
    if not isinstance(value, (dict, list)):
        return False
    if depth > _MAX_DEPTH:
        return True
    if isinstance(value, list):
        return any(_has_member(entry, test, depth + 1) for entry in value)
    return any(test(name, member, value) or _has_member(member, test, depth + 1) for name, member in value.items())


def _shown(name: str) -> str:
    """A name made safe to tell: it may come from anybody."""
    return re.sub(r"[^\w:.@-]", "?", name[:60], flags=re.ASCII)

