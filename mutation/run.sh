#!/usr/bin/env bash
# run.sh <room>: tests every mutant of a room and lists the survivors.
set -euo pipefail
cd "$(dirname "$0")/.."
export MUTATION_ROOM="${1:-}"
status=0
case "$MUTATION_ROOM" in
  delivery) MUTATION_PROCESSES=1 node mutation/processes.mjs || status=$? ;;
  *) vitest run --config mutation/vitest.config.ts || status=$? ;;
esac
node mutation/list-survivors.mjs "$MUTATION_ROOM"
exit "$status"
