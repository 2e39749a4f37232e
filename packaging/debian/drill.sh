#!/usr/bin/env bash
# From an empty Debian to a verified product by the package, by the clock; then remove, purge, nothing left. As root:
#   packaging/debian/drill.sh dist/touchstone_0.1.0_amd64.deb [root.tar]
# `root.tar` is a Debian root that is there already (mmdebstrap --variant=minbase bookworm root.tar); without it, one is made, on the clock.
# No systemd runs in a chroot: the service is started by the unit's ExecStart as the unit's user, without privileges, with the unit's
# environment. What of the unit is not tried thereby: its sandbox (systemd-analyze security judges it), and starts by the package itself.
set -euo pipefail
package=$(realpath "$1")
archive=${2:+$(realpath "$2")}
work=$(mktemp -d)
root=$work/root
service=
port=18787
began=$(date +%s%N)
step() { printf '%7.1f s  %s\n' "$((($(date +%s%N) - began) / 100000000))e-1" "$*"; }
finish() {
  code=$?
  [ -z "$service" ] || kill "$service" 2> /dev/null || true
  for mounted in dev/shm dev proc; do mountpoint -q "$root/$mounted" && umount -l "$root/$mounted"; done
  rm -rf --one-file-system "$work"
  [ "$code" = 0 ] && step 'done' || step "FAIL, exit code $code"
}
trap finish EXIT
inside() { ${in_place:+exec} chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
  ${http_proxy:+http_proxy="$http_proxy"} "$@"; }
unit() { sed -n "s/^$1=//p" "$root/usr/lib/systemd/system/touchstone.service"; }
# as the unit starts it: its user, no capabilities, no new privileges, its environment
as_service() {
  inside setpriv --reuid "$(unit User)" --regid "$(unit Group)" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env -C /var/lib/touchstone $(unit Environment) $(grep -v '^#' "$root/etc/touchstone/touchstone.env") "$@"
}
start() {
  # in place of the subshell, so that $! is the service
  in_place=1 as_service $(unit ExecStart) > "$work/out.log" 2> "$work/err.log" &
  service=$!
  until inside touchstone health --ready --service "http://127.0.0.1:$port" > /dev/null 2>&1; do
    sleep 0.5
    kill -0 "$service" || { cat "$work/out.log" "$work/err.log"; exit 1; }
  done
}
stop() {
  kill "$service"
  wait "$service"
  service=
}
there() { [ -e "$root$1" ] && echo "left: $1"; return 0; }

if [ -n "$archive" ]; then
  mkdir "$root" && tar -xf "$archive" -C "$root" --exclude './dev/*'
else
  mmdebstrap --quiet --variant=minbase bookworm "$root"
fi
step 'an empty Debian 12 (minbase)'
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"

cp "$package" "$root/tmp/touchstone.deb"
inside apt-get update -qq
step 'apt-get update'
inside apt-get install -y -qq --no-install-recommends /tmp/touchstone.deb curl > "$work/apt.log" 2>&1 || { cat "$work/apt.log"; exit 1; }
grep '^Touchstone:' -A1 "$work/apt.log" || true
rm "$root/tmp/touchstone.deb"
[ "$(stat -c '%a %U:%G' "$root/etc/touchstone/touchstone.env")" = "640 root:$(stat -c %G "$root/etc/touchstone/touchstone.env")" ]
inside stat -c '%n %a %U:%G' /etc/touchstone/touchstone.env /var/lib/touchstone
step 'installed by apt, with its dependencies'

printf 'TOUCHSTONE_PORT=%s\n' "$port" >> "$root/etc/touchstone/touchstone.env"
start
grep -v '"level":' "$work/err.log" || true
step 'the service is ready, by the command of its unit'

# the operator guide's commands, then a product and its certificate
export_key() { cat "$root/var/lib/touchstone/operator.key"; }
client() { inside env TOUCHSTONE_SERVICE="http://127.0.0.1:$port" TOUCHSTONE_KEY="$(export_key)" "$@"; }
merchant=$(client touchstone merchants create --name 'Kiln House' --capacity 2000 | grep -oEm1 '[0-9a-f-]{36}')
key=$(client touchstone keys create --merchant-id "$merchant")
grep -q tsk_ <<< "$key"
api=http://127.0.0.1:$port/api/v1
call() { client curl -sS -H "Authorization: Bearer $(export_key)" -H 'Content-Type: application/json' "$@"; }
id() { sed 's/^{[^}]*"id":"\([^"]*\)".*/\1/'; }
page=https://kiln.example/products/mug
store=$(call "$api/registry/stores" -d "{\"merchantId\": \"$merchant\", \"name\": \"Kiln\", \"url\": \"https://kiln.example\"}" | id)
product=$(call -X PUT "$api/registry/stores/$store/products" \
  -d "[{\"externalProductId\": \"mug\", \"name\": \"Mug\", \"url\": \"$page\"}]" | sed 's/.*"id":"\([^"]*\)".*/\1/')
certificate=$(call "$api/mc4p/products/$product/certificate")
answer=$(call "$api/mc4p/products/$product/verify" -d "{\"productUrl\": \"$page\", \"document\": $certificate}")
grep -q '"status":"verified"' <<< "$answer" || { echo "$answer"; exit 1; }
step "a product's certificate, issued and verified"

inside setpriv --reuid "$(unit User)" --regid "$(unit Group)" --clear-groups --no-new-privs \
  env HOME=/tmp touchstone demo --once --port 0 > "$work/demo.log" || { cat "$work/demo.log"; exit 1; }
grep -m1 '^verified' "$work/demo.log"
step 'every page of the demo shop has the expected verdict'

memory=0
for process in $(pgrep -d ' ' -u "$(inside id -u touchstone)"); do
  kilobytes=$(awk '/^Pss:/ { print $2 }' "/proc/$process/smaps_rollup" 2> /dev/null || echo 0)
  memory=$((memory + ${kilobytes:-0}))
done
step "memory at rest, all processes with the database: $((memory / 1024)) MiB"
stop
grep -q '"msg":"closed"' "$work/out.log"
step 'SIGTERM: closed, exit code 0'
before=$(date +%s%N)
start
step "started again on its data, ready after $((($(date +%s%N) - before) / 1000000)) ms"
stop

inside apt-get remove -y -qq touchstone > /dev/null 2>&1
[ -s "$root/var/lib/touchstone/operator.key" ] && [ -s "$root/etc/touchstone/touchstone.env" ] && [ ! -e "$root/usr/lib/touchstone" ]
step 'removed: data and settings are kept'
inside apt-get purge -y -qq touchstone > /dev/null 2>&1
left=$(there /var/lib/touchstone; there /etc/touchstone; there /usr/lib/touchstone; there /usr/bin/touchstone
  inside getent passwd touchstone || true; inside getent group touchstone || true
  find "$root/etc" "$root/usr" "$root/var" -name '*touchstone*' -not -path '*/var/log/*' -not -path '*/var/cache/*')
[ -z "$left" ] || { echo "$left"; exit 1; }
step 'purged: nothing is left'
