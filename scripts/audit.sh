#!/usr/bin/env bash
# Known vulnerabilities of the packages that each lockfile names, as the registry knows them. One that is known fails;
# a registry that keeps no advisories, as many mirrors do, cannot be asked, which is said and fails nothing.
# An advisory that does not concern us is named, with the reason, in pnpm-workspace.yaml (auditConfig.ignoreGhsas).
set -uo pipefail
cd "$(dirname "$0")/.."

failures=0
for workspace in . bench compatibility; do
  answer=$(npx --yes pnpm@12.21.0 --dir "$workspace" audit 2>&1) && continue
  # It has no such address; one that fails, or refuses us, is no answer.
  if grep -qE 'ERR_PNPM_AUDIT_ENDPOINT_NOT_EXISTS|responded with (404|405|501)' <<<"$answer"; then
    echo "note: $workspace was not audited: this registry serves no advisories"
  else
    echo "$workspace:"
    echo "$answer"
    failures=$((failures + 1))
  fi
done
exit "$failures"
