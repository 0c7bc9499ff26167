#!/usr/bin/env bash
# Builds the SDK as ES modules and as CommonJS, each with type declarations. The modules are not bundled, so that
# bundlers can remove unused modules, and both entry points, `@gapura/sdk` and `@gapura/sdk/webhooks`, throw the same
# error class. Several tests may build the package at the same time, so each build is moved to dist only when it is
# complete.
set -euo pipefail
cd "$(dirname "$0")/.."

new=$(mktemp -d node_modules/.build-XXXXXX)
trap 'rm -rf "$new"' EXIT
tsc -p tsconfig.build.json --outDir "$new/dist/esm"
tsc -p tsconfig.build.cjs.json --outDir "$new/dist/cjs"
# For the CommonJS build, this package.json overrides the SDK's "type": "module". It must also contain
# sideEffects, because bundlers read sideEffects from the nearest package.json.
echo '{ "type": "commonjs", "sideEffects": false }' >"$new/dist/cjs/package.json"
[ ! -e dist ] || mv dist "$new/old"
mv "$new/dist" dist
