#!/usr/bin/env bash
# run.sh <room> [options of Stryker]. Stryker copies the directory it is started in, so it is started in the root.
set -euo pipefail
cd "$(dirname "$0")/.."
export MUTATION_ROOM="${1:-}"
shift || true
exec node mutation/node_modules/@stryker-mutator/core/bin/stryker.js run mutation/stryker.config.mjs "$@"
