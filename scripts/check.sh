#!/usr/bin/env bash
# Runs all checks except the tests, prints the names of those that failed, and exits with the number of failures.
set -uo pipefail
cd "$(dirname "$0")/.."

failures=0

check() {
  local title=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $title"
    grep '^note: ' <<<"$output" | sed 's/^/        /'
  else
    echo "FAILED  $title"
    sed 's/^/        /' <<<"$output"
    failures=$((failures + 1))
  fi
}

checksums() {
  find openapi packages/sdk/src/generated packages/server/schema.sql -type f -exec cksum {} + 2>/dev/null | sort -k 3
}

# The check compares the newly generated files with the files on disk instead of the last commit. It therefore also
# passes if the current files are not committed yet.
generated_files_are_current() {
  local before
  before=$(checksums)
  npm run --silent generate || return
  diff <(echo "$before") <(checksums) | sed -n 's/^[<>] [0-9]* [0-9]* /was outdated and has been regenerated: /p' | sort -u | grep . && return 1
  return 0
}

# Checks whether the changes since the branch main have changesets. In a clone without this branch, the check
# is skipped.
changesets_exist() {
  git rev-parse --quiet --verify main >/dev/null || return 0
  changeset status
}

check 'format and lint' biome check --diagnostic-level=warn --error-on-warnings
# With one type checker per project (`--checkers 1`), TypeScript checks each shared type once. By default, four type
# checkers repeat this work, which takes twice as much CPU time.
check 'types' tsc -b . packages/dashboard --checkers 1
check 'types of the compatibility tests' tsc -p compatibility --checkers 1
check 'types of the benchmarks' node scripts/with-deps.mjs --in bench tsc -p . --checkers 1
check 'properties of spread objects' node compatibility/spreads.mjs packages/server/tsconfig.json
check 'imports' depcruise --config compatibility/imports.mjs packages/*/src faults/checker
check 'OpenAPI document (Redocly)' redocly lint openapi/openapi.json
check 'OpenAPI document (Spectral)' spectral lint openapi/openapi.json --fail-severity=hint
check 'no breaking change in /v1' node packages/server/src/openapi/check-baseline.ts
check 'changesets' changesets_exist
check 'plain words' node scripts/check-words.mjs
check 'groups and reasons of the mutation tests' node mutation/check.mjs
check 'known vulnerabilities in packages' bash scripts/audit.sh
check 'generated files' generated_files_are_current

exit "$failures"
