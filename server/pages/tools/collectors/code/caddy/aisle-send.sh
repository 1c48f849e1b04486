#!/bin/sh
# Sends what Caddy has logged of AI agents to Aisle.
set -eu
cd /var/log/aisle
exec 9> lock
flock -n 9 || exit 0

send() {
  status=$(curl -s -m 60 -o /dev/null -w '%{http_code}' -H @/etc/aisle-key \
    -H 'Content-Type: application/x-ndjson' --data-binary "@$1" \
    'https://aisle.example/api/fetches?domain=shop.example') || true
  case $status in
    202 | 400 | 413 | 415 | 422) return 0 ;;
    *) return 1 ;;
  esac
}

# Files that are full.
for full in aisle-*.log; do
  [ -e "$full" ] || break
  send "$full" || exit 0
  rm "$full"
done

# The one that Caddy writes. All of it is sent each time it has grown: a request counts once.
[ -e sent ] || touch -d @0 sent
if [ -n "$(find . -name aisle.log -newer sent)" ]; then
  touch -r aisle.log next
  if send aisle.log; then mv next sent; fi
fi
