#!/usr/bin/env bash
# Stryker copies the directory it is started in, so it is started in the root.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node mutation/node_modules/@stryker-mutator/core/bin/stryker.js run mutation/stryker.config.mjs "$@"
