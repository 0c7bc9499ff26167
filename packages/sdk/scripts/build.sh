#!/usr/bin/env bash
# The same modules twice, each with its own declarations: bundlers leave out of dist/esm what is not used, and
# `@gapura/sdk` and `@gapura/sdk/webhooks` throw the one same class, which a bundle for each entry would not.
# Made beside dist, and moved there when it is whole: several tests may pack at the same time.
set -euo pipefail
cd "$(dirname "$0")/.."

new=$(mktemp -d node_modules/.build-XXXXXX)
trap 'rm -rf "$new"' EXIT
tsc -p tsconfig.build.json --outDir "$new/dist/esm"
tsc -p tsconfig.build.cjs.json --outDir "$new/dist/cjs"
# Nearer than the package's own, which says "module"; bundlers read sideEffects from the nearest, too.
echo '{ "type": "commonjs", "sideEffects": false }' >"$new/dist/cjs/package.json"
[ ! -e dist ] || mv dist "$new/old"
mv "$new/dist" dist
