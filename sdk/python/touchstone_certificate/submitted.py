"""What was submitted as a document: one node with a proof, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

from .strict_json import read_json


@dataclass(frozen=True)
class Submitted:
    """A node with its proof; else why it was dropped, if anything was submitted."""

    node: Optional[Dict[str, Any]] = None
    jwt: Optional[str] = None
    dropped: Optional[str] = None


def read_document(document: Any) -> Submitted:
    """
    Reads a document: its text, or what a JSON parser made of it. Integers of Python are read as doubles, like all numbers.
    """
    if document is None:
        return Submitted()
    if isinstance(document, str):
        try:
            document = read_json(document)
        except ValueError:
            return Submitted(dropped="document_not_json")
    if not isinstance(document, dict) or "@graph" in document:
        return Submitted(dropped="document_not_single_node")
    proof = document.get("proof")
    jwt = proof.get("jwt") if isinstance(proof, dict) else None
    return Submitted(document, jwt) if isinstance(jwt, str) else Submitted(dropped="proof_absent")


def proof_jwt(proof: Any) -> Optional[str]:
    """The compact JWS of a proof: given as such, or in the document that contains it."""
    if isinstance(proof, str) and not proof.lstrip().startswith("{"):
        return proof
    return read_document(proof).jwt
