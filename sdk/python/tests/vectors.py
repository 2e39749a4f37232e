"""
Answers questions of the vectors and of other tests: one JSON request a line on standard input, one JSON answer a line on standard output.
`test/scenarios/transports/python.ts` asks them.
"""

import base64
import json
import sys
from datetime import datetime
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from touchstone_certificate import (  # noqa: E402
    CannotVerifyError,
    IssuerKeys,
    LogPolicy,
    LogPolicyError,
    ManifestReading,
    Response,
    StatusLists,
    Trust,
    verify_from_html,
    verify_included,
    verify_log_proof,
    verify_product_certificate,
    verify_proof,
    verify_receipt,
    with_withdrawal,
)
from touchstone_certificate.encoding import standard_base64  # noqa: E402
from touchstone_certificate.keys import KeySet  # noqa: E402
from touchstone_certificate.log_checkpoint import read_checkpoint, read_vkey, verify_checkpoint  # noqa: E402
from touchstone_certificate.profiles import verify_profiles  # noqa: E402
from touchstone_certificate.strict_json import read_json  # noqa: E402
from touchstone_certificate.trust import KeySource  # noqa: E402


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def trust_of(request):
    """Also in key sets that `create_trust` would refuse, as a verdict by them is what some vectors are about."""
    sources = []
    for one in request["keys"]:
        read_at = moment(one["readAt"]) if "readAt" in one else None
        sources.append(KeySource(tuple(one["issuers"]), KeySet(one.get("jwks")), read_at))
    return Trust([issuer for source in sources for issuer in source.issuers], sources)


def pairs(details):
    return {name: [detail.result, detail.reason] for name, detail in details.items()}


def time_of(told):
    return None if told is None else told.strftime("%Y-%m-%dT%H:%M:%SZ")


def told_of(withdrawal):
    if withdrawal is None:
        return {"status": None, "reason": "not_looked_at"}
    times = {"listIssuedAt": time_of(withdrawal.list_issued_at), "nextLook": time_of(withdrawal.next_look)}
    told = {"status": withdrawal.status, "reason": withdrawal.reason, **times}
    return {name: value for name, value in told.items() if value is not None or name == "status"}


def result_of(result, **more):
    return dict(
        status=result.status,
        checks=pairs(result.check_details),
        warnings=result.warnings,
        errors=result.errors,
        conclusion=result.conclusion.code,
        signed=result.signed is not None,
        withdrawal=told_of(result.withdrawal),
        **more,
    )


def document_answer(request, trust, now):
    question = {"page_url": request["pageUrl"], "trust": trust, "now": now, "product_id": request.get("productId")}
    result = verify_product_certificate(request.get("document"), **question)
    if "served" in request:
        lists, requested = lists_of(request["served"], trust, ())
        policy = request.get("policy", "ifReachable")
        result = amended(result, request, lists, now, policy)
        return result_of(result, requested=requested)
    if "lists" in request:
        held = [text for address, text in request["lists"].items() if "/status/" in address]
        lists, _ = lists_of(request["lists"], trust, held)
        result = amended(result, request, lists, now, "ifReachable")
    return result_of(result)


def amended(result, request, lists, now, policy):
    issuer = None if policy == "none" or result.signed is None else result.signed["issuer"]
    return with_withdrawal(result, lists.look_up(request.get("document"), issuer, now), policy)


def lists_of(served, trust, prefetched):
    """The lists of issuers whose addresses answer this; any other is 404. With the addresses of lists that were asked for."""
    requested = []

    def fetch(url, _headers):
        if not url.endswith(".json"):
            requested.append(url)
        if url not in served:
            return Response(404)
        answer = served[url]
        return Response(200, (answer if isinstance(answer, str) else json.dumps(answer)).encode("utf-8"))

    return StatusLists(trusted_issuers=list(trust.issuers), fetch=fetch, prefetched=prefetched), requested


def profile_answer(request, trust, now):
    stated = request.get("manifest")

    def read_manifest(_image):
        assertions = [(one["label"], one["data"]) for one in stated.get("assertions", [])]
        return ManifestReading(stated["hasManifest"], stated["valid"], stated["signer"], (), assertions)

    found = verify_profiles(
        request.get("document"),
        trust=trust,
        now=now,
        kind=request["certificateKind"],
        domain=request.get("domain"),
        page_url=request.get("pageUrl"),
        product_id=request.get("productId"),
        image=base64.b64decode(request["image"]) if "image" in request else None,
        read_manifest=None if stated is None else read_manifest,
    )
    return dict(profiles=found.profiles, checks=pairs(found.checks), warnings=found.warnings, errors=found.errors)


def page_answer(request, trust, now):
    html = request.get("html", "").encode("utf-8")
    found = verify_from_html(html, page_url=request["finalUrl"], trust=trust, now=now, content_type=request.get("contentType"))
    told = {"verdict": found.verdict, "conclusion": found.conclusion.code, "findings": found.findings}
    checks = {} if found.verification is None else {"checks": pairs(found.verification.check_details)}
    return {**told, **checks, "warnings": found.warnings, "errors": found.errors}


def log_answer(file, vector):
    """What a vector of test/vectors/log expects, as far as it is known here."""
    if file in ("checkpoint", "cosignature"):
        keys = [[read_vkey(text) for text in vector.get(name, [])] for name in ("logs", "witnesses")]
        read = read_checkpoint(vector["note"])
        cosigned = read if isinstance(read, str) else verify_checkpoint(read, *keys)
        if isinstance(cosigned, str):
            return {"valid": False, "reason": cosigned}
        if file == "cosignature":
            return {"valid": True, "cosignatures": [{"name": key.name, "timestamp": time} for key, time in cosigned]}
        root = base64.b64encode(read.root).decode("ascii")
        return {"valid": True, "origin": read.origin, "size": read.size, "root": root}
    try:
        policy = LogPolicy(vector["policy"])
    except LogPolicyError as fault:
        if file in ("certificates", "ended"):
            return {"status": None, "reason": fault.reason}
        return {"valid": False, "reason": fault.reason, **({} if fault.line is None else {"line": fault.line})}
    if file == "policy":
        met, unmet = (vector["expect"].get(name, []) for name in ("met", "unmet"))
        sets = {"met": [one for one in met if policy.is_met(one)], "unmet": [one for one in unmet if not policy.is_met(one)]}
        return {"valid": True, **sets}
    if file in ("certificates", "ended"):
        found = verify_log_proof(vector["jwt"], text=vector.get("logProof"), policy=policy)
        return {"status": found.status, "reason": found.reason}
    found = verify_included(standard_base64(vector["entry"]), vector["proof"], policy=policy)
    if found.status not in ("witnessed", "logged"):
        return {"valid": False, "reason": found.reason}
    size = {"origin": found.origin, "index": found.index, "size": found.tree_size}
    return {"valid": True, **size, "cosigned": found.witnesses, "quorum": found.is_enough}


def receipt_answer(request):
    issuers = request["issuers"]
    page = None if request.get("page") is None else base64.b64decode(request["page"])
    found = verify_receipt(
        request["given"],
        trusted_issuers=issuers,
        keys=[IssuerKeys(issuers, request["jwks"])],
        answer=request.get("answer"),
        request=request.get("request"),
        page=page,
        now=datetime.fromtimestamp(request["now"], moment("1970-01-01T00:00:00Z").tzinfo),
    )
    return {"faults": found.faults, "claims": found.claims is not None}


def answer(request):
    if "log" in request:
        return log_answer(request["log"], request["vector"])
    if request["kind"] == "receipt":
        return receipt_answer(request)
    trust, now = trust_of(request), moment(request["now"])
    try:
        if request["kind"] == "proof":
            found = verify_proof(request["jwt"], trust=trust, now=now, kind=request["proofKind"])
            return {"checks": pairs(found.checks)}
        if request["kind"] == "page":
            return page_answer(request, trust, now)
        if request["kind"] == "profile":
            return profile_answer(request, trust, now)
        return document_answer(request, trust, now)
    except CannotVerifyError as error:
        return {"refused": error.code}


def main():
    for line in sys.stdin:
        print(json.dumps(answer(read_json(line))), flush=True)


if __name__ == "__main__":
    main()
