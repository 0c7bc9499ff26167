#!/usr/bin/env bash
# run.sh <room>: tests every mutant of a room (a group of source files and their tests, see rooms.mjs). Lists the
# mutants that no test detects.
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
