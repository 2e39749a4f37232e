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


def answer(request):
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
