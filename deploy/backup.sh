#!/usr/bin/env bash
# A dump of the database of compose at a moment at which no event is on its way: deploy/backup.sh /var/backups/store [days to keep, 14]
# From cron or a timer, once a day; StoreBackupOld fires where it did not end well for 26 hours.
set -euo pipefail
folder=${1:?Name the folder for the dump.}
days=${2:-14}
cd "$(dirname "$0")"
inside() { docker compose -f compose.yaml exec -T "$@"; }

work=$(mktemp -d)
file=$folder/store-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -rf "$work" "$file.part"' EXIT
mkfifo "$work/answer"

# The gateway finds the moment and keeps its snapshot until it reads how the dump ended.
inside gateway node apps/gateway/src/run.ts backup-moment -- sh -c 'echo snapshot={snapshot}; read -r ended; [ "$ended" = made ]' \
  <"$work/answer" >"$work/said" &
gateway=$!
exec 3>"$work/answer"
until snapshot=$(sed -n 's/^snapshot=//p' "$work/said") && [ -n "$snapshot" ]; do
  kill -0 "$gateway" 2>/dev/null || { wait "$gateway" || true; echo "There is no backup: the gateway found no moment." >&2; exit 1; }
  sleep 0.2
done

ended=failed
if inside postgres pg_dump -U store --snapshot="$snapshot" --format=custom store >"$file.part"; then ended=made; fi
echo "$ended" >&3
exec 3>&-
wait "$gateway" || ended=failed
[ "$ended" = made ] || { echo "There is no backup: the dump failed." >&2; exit 1; }
mv "$file.part" "$file"
find "$folder" -name 'store-*.dump' -mtime "+$days" -delete
echo "$file"
