#!/usr/bin/env bash
# Checks the packages in each lockfile for known vulnerabilities, and fails if it finds one. If the npm
# registry offers no advisories, as is the case with many mirrors, the script only prints a note. Advisories
# that do not affect this project are listed with a reason in pnpm-workspace.yaml (auditConfig.ignoreGhsas).
set -uo pipefail
cd "$(dirname "$0")/.."

failures=0
for workspace in . bench compatibility; do
  answer=$(npx --yes pnpm@12.21.0 --dir "$workspace" audit 2>&1) && continue
  # An npm registry without an audit endpoint does not fail the check, but any other error does, such as 403
  # or 500.
  if grep -qE 'ERR_PNPM_AUDIT_ENDPOINT_NOT_EXISTS|responded with (404|405|501)' <<<"$answer"; then
    echo "note: $workspace was not audited: the package registry has no advisories"
  else
    echo "$workspace:"
    echo "$answer"
    failures=$((failures + 1))
  fi
done
exit "$failures"
