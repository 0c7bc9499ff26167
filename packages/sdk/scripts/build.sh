#!/usr/bin/env bash
# Builds the modules as ES modules and as CommonJS, each with its own type declarations. The modules are not bundled,
# so that bundlers can remove unused modules and `@gapura/sdk` and `@gapura/sdk/webhooks` throw the same error class.
# The build is moved to dist only when it is complete, because several tests may pack at the same time.
set -euo pipefail
cd "$(dirname "$0")/.."

new=$(mktemp -d node_modules/.build-XXXXXX)
trap 'rm -rf "$new"' EXIT
tsc -p tsconfig.build.json --outDir "$new/dist/esm"
tsc -p tsconfig.build.cjs.json --outDir "$new/dist/cjs"
# This file overrides the package's "type": "module". It must also contain sideEffects, because bundlers read
# sideEffects from the nearest package.json.
echo '{ "type": "commonjs", "sideEffects": false }' >"$new/dist/cjs/package.json"
[ ! -e dist ] || mv dist "$new/old"
mv "$new/dist" dist
