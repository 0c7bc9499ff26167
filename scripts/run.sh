#!/bin/sh
# Runs a TypeScript program of this repository: scripts/run.sh <file, relative to the root> [argument…]
#
# The Node in PATH may be too old to run TypeScript, so it only installs the packages. The packages include a
# newer Node, which then runs the program. This Node replaces the shell, so signals and the exit code need no
# forwarding.
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
node "$root/scripts/with-deps.mjs" true </dev/null || exit
file=$1
shift
PATH="$root/node_modules/.bin:$PATH"
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-"$root/node_modules/.cache/compile"}
export PATH NODE_COMPILE_CACHE
exec node "$root/$file" "$@"
