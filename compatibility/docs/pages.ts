// Lists every page that contains code, together with the test that runs it.

import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** The code on these pages runs in this order, because each page continues where the previous page ended. */
export const merchantPages = [
  'docs/guides/quick-start.md',
  'docs/guides/idempotency.md',
  'docs/guides/webhooks.md',
  'docs/guides/payment-states.md',
  'docs/guides/going-live.md',
  'packages/cli/README.md',
  // The onboarding page is for operators, but its commands use the demonstration data from the quick start.
  // It is therefore tested together with the merchants' pages.
  'docs/guides/onboarding.md',
  // The refunds page comes last, because its refunds change the balance that the going-live page expects.
  'docs/guides/refunds.md',
] as const
/** The guides for other programming languages. Running their code requires the tools of these languages. */
export const languagePages = [
  'docs/guides/python.md',
  'docs/guides/php.md',
  'docs/guides/go.md',
  'docs/guides/java.md',
] as const
export const operatorPages = [
  'docs/guides/scaling.md',
  'docs/guides/observability.md',
  'docs/guides/backup.md',
  'docs/guides/failover.md',
  'docs/guides/verifying-the-ledger.md',
  'docs/guides/key-rotation.md',
  'docs/guides/upgrade.md',
  'docs/guides/adding-a-provider.md',
  'docs/guides/versioning.md',
  'docs/provider-health.md',
  'docs/reconciliation.md',
  'docs/unexpected-money.md',
  'packages/sandbox/README.md',
] as const

/** The pages that have a separate test file for their code, each with the path of this test file. */
export const otherPages = {
  // The test of the deployment guide runs the guide's code with kubectl.
  'docs/guides/deploy.md': 'compatibility/deploy/guide.test.ts',
  'docs/guides/webhook-recipes.md': 'compatibility/sdk/recipes.test.ts',
  'packages/sdk/README.md': 'packages/sdk/test/readme.heavy.test.ts',
  // The commands on this page run the published packages.
  'packages/server/README.md': 'compatibility/server/packed.test.ts',
  // The code in this README only shows how to write a step in two variants, which the site displays as tabs.
  'docs/guides/README.md': 'packages/server/src/docs/code-block.test.ts',
  // book.test.ts runs the SQL queries from docs/book.md and compares the results with the ledger's stored accounts.
  'docs/book.md': 'packages/server/src/ledger/book.test.ts',
  // docs/security.md has no code to run, only a diagram and the names of tests.
  'docs/security.md': 'packages/server/test/security-page.test.ts',
  // docs/architecture.md has no code to run, only a diagram and the import rules.
  'docs/architecture.md': 'packages/server/test/architecture.test.ts',
} as const

/**
 * The documentation pages whose SQL is run by a separate test file. The commands on these pages run like
 * those on every other page.
 */
export const sqlTests = {
  'docs/guides/scaling.md': 'packages/server/src/db/distribute/moving-tenants.citus.test.ts',
} as const
