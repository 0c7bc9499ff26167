// The modules for npm run test:mutation. A module lists the files to mutate and the tests that must detect the
// mutants.

import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const src = 'packages/server/src'

export const rooms = {
  /**
   * The code that decides how an event affects a payment and its money. Neither this code nor its tests do I/O, so
   * its mutants are tested fastest.
   */
  decisions: {
    mutate: [
      `${src}/payments/{accepted-event,inquiry-schedule,payment}.ts`,
      `${src}/payments/create/{fingerprint,idempotency}.ts`,
      `${src}/values/canonical-json.ts`,
      `${src}/payments/record/{interpret-update,payment-transfer,plan-received-money,plan-returned-money,transitions,unexpected-money}.ts`,
      `${src}/inbox/decision.ts`,
    ],
    tests: [
      `${src}/payments/create/idempotency.test.ts`,
      `${src}/payments/{inquiry-schedule,payment}.test.ts`,
      `${src}/payments/record/{interpret-update,payment-transfer,plan-received-money,plan-returned-money,transitions,unexpected-money}.test.ts`,
      `${src}/payments/record/plan-reversal.test.ts`,
      `${src}/inbox/decision.test.ts`,
    ],
  },
  /** The code that writes payments to the database. */
  payments: {
    mutate: [
      `${src}/payments/create/charge-payment.ts`,
      `${src}/payments/inquire/{early-checks,inquire-and-record,next-check.sql,sweep-due-payments}.ts`,
      `${src}/payments/record/{event-batch,record-event,record-step,record-unmatched-money}.ts`,
      `${src}/payments/resolve-payment.ts`,
    ],
    tests: [
      `${src}/payments/record/record-step.test.ts`,
      `${src}/payments/inquire/early-checks.test.ts`,
      `${src}/payments/record/balance-room.test.ts`,
      `${src}/payments/record/record-unmatched-money.test.ts`,
      `${src}/payments/inquire/inquire-and-record.test.ts`,
      `${src}/payments/record/payment-metrics.test.ts`,
      `${src}/payments/inquire/next-check.sql.test.ts`,
      `${src}/payments/inquire/sweep-results.test.ts`,
      `${src}/payments/inquire/list-unpaid.test.ts`,
      `${src}/payments/races.test.ts`,
      `${src}/payments/resolve-payment.test.ts`,
      `${src}/payments/create/charge-payment.test.ts`,
      `${src}/payments/record/money-records.test.ts`,
      `${src}/payments/record/money-records-protection.test.ts`,
      `${src}/callbacks/unproven-updates.test.ts`,
      `${src}/payments/record/record-event.test.ts`,
      `${src}/payments/inquire/sweep-due-payments.test.ts`,
      `${src}/payments/inquire/sweep-limits.test.ts`,
    ],
  },
  callbacks: {
    mutate: [
      `${src}/values/allowed-source.ts`,
      `${src}/callbacks/{apply-callbacks,callback-inquiries,find-callback-payments,inquire-unreadable,receive-callback,record-callbacks,reprocess-callback,verify-callback}.ts`,
    ],
    tests: [
      `${src}/values/allowed-source.test.ts`,
      `${src}/callbacks/verify-callback.test.ts`,
      `${src}/callbacks/callback-inquiries.test.ts`,
      `${src}/callbacks/callback-metrics.test.ts`,
      `${src}/callbacks/callback-inquiry-timing.test.ts`,
      `${src}/callbacks/record-callbacks.test.ts`,
      `${src}/callbacks/main-result.test.ts`,
      `${src}/callbacks/reprocess-callback.test.ts`,
      `${src}/callbacks/inquire-unreadable.test.ts`,
      `${src}/callbacks/unreadable-callback.test.ts`,
      `${src}/callbacks/unproven-updates.test.ts`,
      `${src}/callbacks/hanging-provider.test.ts`,
      `${src}/callbacks/receive-callback.test.ts`,
      `${src}/callbacks/apply-callbacks.test.ts`,
    ],
  },
  ledger: {
    mutate: [
      `${src}/ledger/{entry-bytes,issue-statement,ledger.sql,merkle,prove-head,seal,seal-ledger,transfer}.ts`,
    ],
    tests: [
      `${src}/ledger/merkle.test.ts`,
      `${src}/ledger/issue-statement.test.ts`,
      `${src}/ledger/seal.test.ts`,
      `${src}/ledger/ledger-reads.test.ts`,
      `${src}/ledger/ledger.test.ts`,
      `${src}/verification/verification.test.ts`,
    ],
  },
  webhooks: {
    mutate: [
      `${src}/webhooks/event.ts`,
      `${src}/webhooks/delivery/{lease,tenant-queues,redeliver-event,sign}.ts`,
    ],
    tests: [
      `${src}/webhooks/event.test.ts`,
      `${src}/webhooks/delivery/sign.test.ts`,
      `${src}/webhooks/delivery/tenant-queues.test.ts`,
      `${src}/webhooks/delivery/redeliver-event.test.ts`,
      `${src}/webhooks/delivery/lease.test.ts`,
    ],
  },
  /**
   * The webhook delivery code. It is a separate module from the other webhook code, because its tests are slow: they
   * wait for HTTP responses.
   */
  delivery: {
    mutate: [`${src}/webhooks/delivery/{deliver-webhooks,load-events,record-attempts}.ts`],
    tests: [
      `${src}/webhooks/delivery/deliver-webhooks.isolated.test.ts`,
      `${src}/webhooks/delivery/deliver-webhooks-leases.test.ts`,
      `${src}/webhooks/delivery/webhook-delivery.isolated.test.ts`,
    ],
  },
  /**
   * The provider adapters. Their contract tests are left out, because they are slow: each sends requests to its own
   * server.
   */
  providers: {
    mutate: [
      `${src}/providers/*/{messages,notification,order-update,translate}.ts`,
      `${src}/providers/lenient-fields.ts`,
    ],
    tests: [`${src}/providers/lenient-fields.test.ts`, `${src}/providers/*/*.test.ts`],
  },
}

/** Returns the module named by the environment variable MUTATION_ROOM. */
export function room() {
  const name = process.env.MUTATION_ROOM ?? ''
  const found = rooms[name]
  if (!found) throw new Error(`set MUTATION_ROOM to one of ${Object.keys(rooms).join(', ')} (got '${name}')`)
  const missing = missingFiles(found)
  if (missing.length > 0) throw new Error(`no file matches ${missing.join(', ')}`)
  return { name, ...found }
}

/**
 * Returns a module's file patterns that match no file. If a pattern has alternatives in braces, each alternative
 * must match at least one file.
 */
export const missingFiles = ({ mutate, tests }) =>
  [...mutate, ...tests]
    .flatMap(alternativesOf)
    .filter(pattern => globSync(pattern, { cwd: root }).length === 0)

/** Expands the braces in a pattern: `{a,b}.ts` has the alternatives `a.ts` and `b.ts`. */
function alternativesOf(pattern) {
  const [, before, names, after] = pattern.match(/^([^{]*)\{([^}]*)\}(.*)$/) ?? []
  return names === undefined ? [pattern] : names.split(',').map(name => before + name + after)
}
