#!/usr/bin/env bash
# Runs an image made by `npm run package:image` as a container would run: its user, its command, a read-only root, data and /tmp as volumes;
# checks health, a first certificate, and that SIGTERM drains. As root, with buildah:
#   packaging/container/drill.sh dist/touchstone_0.1.0-oci.tar
# buildah's chroot isolation has no --read-only, so that the root is mounted read-only beforehand.
set -euo pipefail
image=$(realpath "$1")
work=$(mktemp -d)
service=
began=$(date +%s%N)
step() { awk -v t="$(($(date +%s%N) - began))" -v what="$*" 'BEGIN { printf "%7.1f s  %s\n", t / 1e9, what }'; }
export BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
finish() {
  code=$?
  [ -z "$service" ] || kill "$service" 2> /dev/null || true
  for mounted in tmp var/lib/touchstone dev proc .; do
    mountpoint -q "$work/root/$mounted" && umount -l "$work/root/$mounted"
  done
  rm -rf --one-file-system "$work"
  [ "$code" = 0 ] || step "FAIL, exit code $code"
}
trap finish EXIT

step "$(($(stat -c %s "$image") / 1000000)) MB compressed"
container=$(buildah from "oci-archive:$image")
config() { buildah inspect --format "{{$1}}" "$container"; }
[ "$(config .OCIv1.Config.User)" = 10001:10001 ]
[ "$(config .OCIv1.Config.Entrypoint)" = '[touchstone]' ] && [ "$(config .OCIv1.Config.Cmd)" = '[serve]' ]
mapfile -t variables < <(buildah inspect --format '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$container" | grep .)
# as a container engine starts it: the image's own user and environment
run() { buildah run "$container" -- "$@"; }
[ "$(run id -u)" = 10001 ]
run touchstone --version
mkdir "$work/root" "$work/data"
chown 10001:10001 "$work/data"
mount --bind "$(buildah mount "$container")" "$work/root"
mount -o remount,bind,ro "$work/root"
mount -t proc proc "$work/root/proc"
mount --rbind /dev "$work/root/dev" && mount --make-rslave "$work/root/dev"
mount --bind "$work/data" "$work/root/var/lib/touchstone"
mount -t tmpfs -o mode=1777 tmpfs "$work/root/tmp"
contained() { ${in_place:+exec} chroot --userspec=10001:10001 "$work/root" env -i PATH=/usr/bin:/bin "${variables[@]}" "$@"; }
contained sh -c '! touch /usr/lib/touchstone/x 2> /dev/null'
chroot "$work/root" sh -c '! touch /etc/x 2> /dev/null'
step 'the root is read-only, for root too'

in_place=1 contained TOUCHSTONE_PORT=18788 touchstone serve > "$work/out.log" 2> "$work/err.log" &
service=$!
health() { contained TOUCHSTONE_SERVICE=http://127.0.0.1:18788 touchstone health "$@" > /dev/null 2>&1; }
until health --ready; do
  kill -0 "$service" || { cat "$work/out.log" "$work/err.log"; exit 1; }
  sleep 0.5
done
health
step "ready; processes of the service: $(pgrep -c -u 10001 -f /lib/touchstone/bin/node || true)"
memory=0
for process in $(pgrep -u 10001); do
  memory=$((memory + $(awk '/^Pss:/ { print $2 }' "/proc/$process/smaps_rollup" 2> /dev/null || echo 0)))
done
step "memory at rest, with the database: $((memory / 1024)) MiB"
key=$(cat "$work/data/operator.key")
contained node=/usr/lib/touchstone/bin/node KEY="$key" /usr/lib/touchstone/bin/node -e '
  const api = "http://127.0.0.1:18788/api/v1";
  const page = "https://kiln.example/products/mug";
  const call = async (path, method, body) => {
    const headers = { authorization: `Bearer ${process.env.KEY}`, "content-type": "application/json" };
    const answer = await fetch(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const run = async () => {
    const merchant = await call("/registry/merchants", "POST", { name: "Kiln", planCapacity: 10 });
    const store = await call("/registry/stores", "POST", { merchantId: merchant.id, name: "Kiln", url: "https://kiln.example" });
    const { results: [{ id }] } = await call(`/registry/stores/${store.id}/products`, "PUT", [{ externalProductId: "mug", name: "Mug", url: page }]);
    const document = await call(`/mc4p/products/${id}/certificate`, "GET");
    const { status } = await call(`/mc4p/products/${id}/verify`, "POST", { productUrl: page, document });
    if (status !== "verified") throw new Error(status);
  };
  run();'
step 'a first certificate, issued and verified'
kill "$service"
wait "$service"
service=
grep -q '"msg":"closed"' "$work/out.log"
step 'SIGTERM: closed, exit code 0'
