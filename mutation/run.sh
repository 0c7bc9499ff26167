#!/usr/bin/env bash
# run.sh <room>: tries every change of a room and lists the changes that no test noticed.
set -euo pipefail
cd "$(dirname "$0")/.."
export MUTATION_ROOM="${1:-}"
vitest run --config mutation/vitest.config.ts --reporter dot
exec node mutation/list-survivors.mjs "$MUTATION_ROOM"
