"""Drives examples/verify.py for the vectors: reads one JSON request per line, writes one JSON answer per line."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
sys.dont_write_bytecode = True
import verify as example  # noqa: E402


class Served(example.StatusSource):
    """What the addresses of an issuer answer; any other is not reachable."""

    def __init__(self, texts):
        super().__init__({}, True)
        self.texts, self.lists = texts, []

    def list(self, address):
        self.lists.append(address)
        return super().list(address)

    def _fetched(self, address):
        answer = self.texts.get(address)
        return answer if answer is None or isinstance(answer, str) else json.dumps(answer)


def log_answer(file, vector):
    """What a vector of test/vectors/log expects, as far as it is known here."""
    if file == "policy":
        try:
            policy = example.Policy(vector["policy"].encode("utf-8"))
        except example.PolicyFault as fault:
            line = {} if fault.line is None else {"line": fault.line}
            return dict({"valid": False, "reason": fault.reason}, **line)
        met, unmet = (vector["expect"].get(name, []) for name in ("met", "unmet"))
        sets = {"met": [one for one in met if policy.is_met(one)], "unmet": [one for one in unmet if not policy.is_met(one)]}
        return dict({"valid": True}, **sets)
    if file in ("checkpoint", "cosignature"):
        keys = [[example.read_vkey(text) for text in vector.get(name, [])] for name in ("logs", "witnesses")]
        read = example.read_checkpoint(vector["note"])
        cosigned = read if isinstance(read, str) else example.verify_checkpoint(read, *keys)
        if isinstance(cosigned, str):
            return {"valid": False, "reason": cosigned}
        if file == "cosignature":
            return {"valid": True, "cosignatures": [{"name": key[0], "timestamp": time} for key, time in cosigned]}
        root = example.base64.b64encode(read[4]).decode("ascii")
        return {"valid": True, "origin": read[2], "size": read[3], "root": root}
    if file in ("certificates", "ended"):
        try:
            policy = example.Policy(vector["policy"].encode("utf-8"))
        except example.PolicyFault as fault:
            return {"status": None, "reason": fault.reason}
        found = example.verify_log_proof(vector["jwt"], vector.get("logProof"), policy)
        return {"status": found["status"], "reason": found["reason"]}
    policy = example.Policy(vector["policy"].encode("utf-8"))
    found = example.verify_included(example.standard_base64(vector["entry"]), vector["proof"], policy)
    if found["status"] not in ("witnessed", "logged"):
        return {"valid": False, "reason": found["reason"]}
    names = {"origin": "origin", "index": "index", "treeSize": "size", "witnesses": "cosigned", "isEnough": "quorum"}
    return dict({"valid": True}, **{name: found[own] for own, name in names.items()})


def answer(request):
    if "log" in request:
        return log_answer(request["log"], request["vector"])
    keys = [(one["issuers"], one.get("jwks")) for one in request["keys"]]
    now = example._moment(request["now"])
    read_at = example._moment(request["keysReadAt"]) if "keysReadAt" in request else None
    try:
        if request["kind"] == "proof":
            return {"checks": example.verify_proof(request["jwt"], keys, now, request["proofKind"], read_at)}
        document, page_url = request.get("document"), request["pageUrl"]
        if request["kind"] == "withdrawal":
            served, policy = Served(request["served"]), request.get("policy")
            context = (document, page_url, keys, now, request["productId"], read_at)
            result = example.verify(*context, None if policy == "none" else served, policy == "required")
            return dict(result, requested=served.lists)
        lists = example.StatusSource(request["lists"]) if "lists" in request else None
        return example.verify(document, page_url, keys, now, request["productId"], read_at, lists)
    except example.KeysUnavailable:
        return {"refused": "keys_unavailable"}


def main():
    for line in sys.stdin:
        print(json.dumps(answer(example.read_json(line))), flush=True)


example.with_deep_stack(main)
