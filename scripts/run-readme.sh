#!/usr/bin/env bash
# Runs the README's curl session as printed, against the demo that the README starts, and checks its verdicts.
set -euo pipefail
set -m # the demo gets a separate process group, so that all its processes can be ended
cd "$(dirname "$0")/.."
log=$(mktemp)
session=$(mktemp)
block() { awk -v wanted="$1" '/^```sh$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n == wanted' README.md; }

block 3 > "$session"
grep -q 'npm run demo' "$session"
bash "$session" > "$log" 2>&1 &
demo=$!
trap 'kill -TERM -- -"$demo" 2>/dev/null || true; wait "$demo" 2>/dev/null || true' EXIT
for _ in $(seq 60); do
  if grep -q "stay up until" "$log" || ! kill -0 "$demo" 2>/dev/null; then break; fi
  sleep 1
done
grep -q 'stay up until' "$log" || { cat "$log"; echo 'the demo did not come up'; exit 1; }

block 4 > "$session"
answer=$(bash -eu "$session")
printf '%s\n' "$answer"
grep -q '"status":"verified"' <<< "$answer"
grep -q '"verdict":"verified"' <<< "$answer"

block 5 > "$session"
bash "$session" | tee "$log.cli"
grep -q '^VERIFIED  http://shop' "$log.cli"
grep -q '^CHECKS FAILED  http://copycat' "$log.cli"
echo 'README: every line ran as printed'
