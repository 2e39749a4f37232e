#!/usr/bin/env bash
# Asks a running service about a product page, with nothing but curl:
#
#   curl.sh https://certificates.example https://shop.example/products/cup
#
# Prints the verdict on the page, then verifies the certificate that the service has for its product against the same
# address. Exits 0 when both hold.
set -euo pipefail
service=${1:?the address of the service} page=${2:?the address of the page}
api=$service/api/v1/mc4p

# the first text behind a name, in JSON that is on one line
text() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
ask() { curl -sS --fail-with-body -H 'Content-Type: application/json' "$@"; }

report=$(ask "$api/page-checks" -d "{\"url\": \"$page\"}")
verdict=$(text verdict <<< "$report")
product=$(text product_id <<< "$report")
echo "page: $verdict"
[ -n "$product" ] || exit 1

certificate=$(ask "$api/products/$product/certificate")
result=$(ask "$api/products/$product/verify" -d "{\"productUrl\": \"$page\", \"document\": $certificate}")
status=$(sed -n 's/^{"status":"\([a-z]*\)".*/\1/p' <<< "$result")
echo "certificate: $status"
[ "$verdict" = verified ] && [ "$status" = verified ]
