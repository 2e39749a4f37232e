"""What the @context of a document says about names (JSON-LD 1.1), as far as it is known without a request."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Set

_MAX_TERMS, _MAX_PARTS, _MAX_IRI = 100, 100, 500
_SCHEMA_ORG = re.compile(r"(schema:|https?://(www\.)?schema\.org/?(docs/jsonldcontext\.json(ld)?\Z)?)")


class DocumentContext:
    """Whether a context is ours, and what it makes of names (docs/format.md, section 4)."""

    def __init__(self, stated: Any, namespace: str) -> None:
        self.namespace = namespace
        self.terms: Dict[str, str] = {}
        """The terms and prefixes that it defines itself, besides `svc`."""
        self.is_ours = True
        """Whether it is schema.org's with `svc` for the namespace, and was read whole."""
        self.is_foreign = False
        """Whether it names a remote context other than schema.org's."""
        self.changes_values = False
        """Whether it says more than what names stand for."""
        self._referred: Set[str] = set()
        self._has_schema_org = False
        parts = listed("https://schema.org" if stated is None else stated)
        self.is_ours = len(parts) <= _MAX_PARTS
        for entry in parts:
            if not self.is_ours:
                break
            if without_schema_org(entry) == "":
                self._has_schema_org = True
            elif isinstance(entry, str):
                self.is_foreign = True
            elif not isinstance(entry, dict):
                self.is_ours = False
            else:
                self._read(entry)
        self.is_ours = self.is_ours and self._has_schema_org

    def _read(self, entry: Mapping[str, Any]) -> None:
        for name, definition in entry.items():
            if not self.is_ours:
                return
            if name == "svc":
                self.is_ours = isinstance(definition, str) and definition == self.namespace
            elif name in ("@vocab", "schema"):
                self.is_ours = without_schema_org(definition) == ""
                self._has_schema_org = self._has_schema_org or name == "@vocab"
            elif name == "@base":
                self.changes_values = True
            elif name.startswith("@"):
                self.is_ours = name not in ("@import", "@propagate")
            else:
                self._define(name, definition)

    def _define(self, name: str, definition: Any) -> None:
        more = dict(definition) if isinstance(definition, dict) else {"@id": definition}
        stated = more.pop("@id", name)
        target = stated if isinstance(stated, str) else ""
        iri = (self.terms.get(target) if target != name else None) or self.without_prefix(target)
        self.is_ours = (
            name not in self._referred
            and self.terms.get(name, iri) == iri
            # a context of its own, a reverse property
            and not ("@context" in more or "@reverse" in more)
            and (stated is None or isinstance(stated, str))
            and len(self.terms) < _MAX_TERMS
            and len(iri) <= _MAX_IRI
        )
        self.changes_values = self.changes_values or any(key != "@prefix" for key in more)
        self.terms[name] = iri
        self._referred.update([target] if target != name else [], [target.split(":", 1)[0]])

    def without_prefix(self, text: str) -> str:
        """The IRI of a compact IRI; other text, also an address, as it is."""
        colon = text.find(":")
        while colon != -1 and text.startswith("//", colon + 1):
            colon = text.find(":", colon + 1)
        start = self.terms.get(text[:colon]) if colon != -1 else None
        return text if start is None else start + text[colon + 1 :]

    def name_of(self, name: str, is_defined: bool = True) -> str:
        """
        The name under which we issue what this name stands for; that of anything else is none of ours.

        :param is_defined: whether the terms of this context count
        """
        iri = self.terms.get(name, self.without_prefix(name)) if is_defined and self.terms else name
        if iri.startswith("svc:") or not (":" in iri or iri in ("type", "id")):
            return iri
        bare, own = re.sub("^https?:", "", iri), re.sub("^https?:", "", self.namespace)
        if bare != iri and own and bare.startswith(own):
            return "svc:" + bare[len(own) :]
        short = without_schema_org(iri)
        short = iri if short is None else short
        return "@" + short if short in ("type", "id") else short


def without_schema_org(name: Any) -> Optional[str]:
    """The part of a name after schema.org; None if it is not a name of schema.org."""
    found = _SCHEMA_ORG.match(name) if isinstance(name, str) else None
    return None if found is None else name[found.end() :]


def listed(value: Any) -> List[Any]:
    """A list as it is, and anything else as the only entry of one."""
    return value if isinstance(value, list) else [value]
