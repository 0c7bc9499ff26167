// The reasons why a mutant may survive. A mutant is found by its code, because line numbers change. The first
// matching rule applies.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Each rule is [file, code, reason, replacement]. `code` is part of the mutated code or of its line. A replacement
 * limits the rule to one mutant.
 */
export const reasons = [
  [
    'inbox/decision.ts',
    'amount !== undefined && amount > sum',
    'the mutant changes nothing: if `amount` is undefined, the comparison with `sum` is false',
    'true',
  ],
  [
    'values/canonical-json.ts',
    'value === null',
    'the mutant changes nothing: a parsed order has no null fields',
    'false',
  ],
  [
    'payments/inquiry-schedule.ts',
    'now < payment.expiresAt',
    'the mutant changes only the case of equal times, in which both branches return the same time',
  ],
  [
    'payments/inquiry-schedule.ts',
    'one < other',
    'the mutant changes only the case of equal times, in which both branches return the same time',
  ],
  [
    'payments/inquiry-schedule.ts',
    'each * MINUTE_MS > elapsedMs',
    'the mutant changes nothing: the elapsed time includes ROUNDING_MS, so it is never exactly a whole minute',
  ],
  [
    'payments/inquiry-schedule.ts',
    'elapsedMs < DAY_MS',
    'the mutant changes nothing: the elapsed time includes ROUNDING_MS, so it is never exactly a whole day',
  ],
  [
    'payments/record/payment-transfer.ts',
    'default: return undefined',
    'the mutant changes nothing: without this case, the function also returns undefined',
  ],
  [
    'payments/record/interpret-update.ts',
    "case 'unproven': return undefined",
    'the mutant changes nothing: without this case, the function also returns undefined',
  ],
  [
    'payments/record/plan-received-money.ts',
    "event.type === 'paid' && event.acceptedId",
    'the mutant changes nothing: only events of type `paid` have an acceptedId',
  ],
  [
    'payments/record/plan-received-money.ts',
    "payment.status !== 'paid' || payment.amountPaid === null",
    'the mutant changes nothing: a table constraint requires a paid amount for paid payments and forbids it for all others',
  ],
  [
    'payments/record/plan-received-money.ts',
    'unconfirmedSince === null || amountPaid === null',
    'the mutant changes nothing: JavaScript compares null as zero, and no received amount is below zero',
  ],
  [
    'payments/record/plan-received-money.ts',
    "kind !== 'reversal'",
    'the mutant changes nothing: a reversal restarts the count of received money, so it is never part of this count',
  ],
  [
    'payments/record/plan-received-money.ts',
    "event.type !== 'paid' || payment.amountReceived",
    'the mutant changes nothing: a partial payment since the last reversal never exceeds the paid amount',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'rank[reported.status]',
    'the mutant changes nothing: two different statuses never have the same rank',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'amount !== null && amount > 0n',
    'the mutant changes nothing: if `amount` is null, the comparison with zero is also false',
  ],
  [
    'payments/record/transitions.ts',
    "event.type === 'underpaid'",
    'the mutant changes nothing: only an event of type `underpaid` has a received amount to compare',
  ],
  [
    'payments/record/transitions.ts',
    "payment.status !== 'paid' || isSecondPayment",
    'the mutant changes nothing: the fields of the payment’s new status overwrite the changed fields',
  ],
  [
    'payments/record/transitions.ts',
    'default: return {}',
    'the mutant changes nothing: spreading undefined adds no fields',
  ],
  [
    'payments/record/transitions.ts',
    'known === null',
    'the mutant changes nothing: every amount is greater than null',
  ],
  [
    'payments/record/transitions.ts',
    'cannot make a payment paid',
    'the mutant removes a check that never fails: the transition table allows only events of type `paid` here',
  ],
  [
    'payments/create/charge-payment.ts',
    '{ cause: error }',
    'the mutant changes only the `cause` of a logged error, and no code reads this cause',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    '{ parent: paymentSpan(payment.id) }',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    'freeSlots === 0',
    'the mutant changes nothing: if no slot is free, the claim returns no payments',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    '!hasTransitioned(payment, refreshed)',
    'the mutant changes nothing: both branches return the first step of the inquiry schedule',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    'next < again',
    'the mutant changes only the case of equal times, in which both branches return the same time',
  ],
  [
    'payments/inquire/next-check.sql.ts',
    '=> payment.tenantId',
    'the mutant changes only a check of the caller’s tenant scope; the only caller is a background loop without a scope',
  ],
  [
    'payments/inquire/early-checks.ts',
    'last !== undefined',
    'the mutant changes nothing: if `last` is undefined, the comparison is false',
  ],
  [
    'payments/inquire/inquire-and-record.ts',
    "typeof result !== 'string'",
    'the mutant changes nothing: a response that is a string lists no refunds or chargebacks',
  ],
  [
    'payments/record/event-batch.ts',
    'balances: Balance[] = []',
    'the mutant changes nothing: it adds an entry without a tenant, which is never looked up',
  ],
  [
    'payments/record/event-batch.ts',
    'records.get(id) ?? []',
    'the mutant removes a fallback that is never used: every record that changes was loaded before',
  ],
  [
    'payments/record/record-event.ts',
    '{ startedMs, postedMs }',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'payments/record/record-event.ts',
    'log?.error',
    'the mutant causes an unhandled rejection, which fails a normal Vitest run but not a run of this mutation test',
  ],
  [
    'payments/record/record-step.ts',
    "applied.kind === 'changed' ?",
    'the mutant changes nothing: planMoney has already removed each credit that has no effect',
  ],
  [
    'payments/record/record-step.ts',
    'records.length > 0',
    'the mutant changes nothing: if there are no records, nothing is written',
  ],
  [
    'payments/record/record-step.ts',
    'default: return undefined',
    'the mutant changes nothing: without this case, the function also returns undefined',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'assigned.length > 0',
    'the mutant changes only the locking order: the payment is locked again when it is credited',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    "fact.type === 'paid'",
    'the mutant changes nothing: only a provider’s report of type `paid` has an amount',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'records.get(id) ?? []',
    'the mutant removes a fallback that is never used: every record that changes was loaded before',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'all.filter',
    'the mutant changes nothing: an insert skips existing records, and an update of a new record has no effect',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'inserted.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'updated.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'events.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'tenantId === null || paymentId === null',
    'the mutant removes a check that never fails: a record whose amount is debited always belongs to a payment',
  ],
  [
    'payments/resolve-payment.ts',
    'locked?.status',
    'the mutant removes a check that never fails: the payment exists, because payments are never deleted',
  ],
  [
    'payments/resolve-payment.ts',
    "event.type === 'paid'",
    'the mutant changes nothing: only events of type `paid` can be unconfirmed',
  ],
  [
    'payments/resolve-payment.ts',
    'recorded?.kind',
    'the mutant removes a check that never fails: the payment is locked, so the event can always be applied',
  ],
  [
    'payments/resolve-payment.ts',
    'part.amount === null',
    'the mutant removes a check that never fails: every partial payment has an amount',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'read: [], neededInquiries',
    'the mutant changes nothing: if no inquiry is needed, the messages are not read again',
    '["Stryker was here"]',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'messages.length === 0',
    'the mutant changes nothing: if there are no messages, there is no callback to settle',
    'false',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'isEarly: false }',
    'the mutant changes nothing: a callback gets its own job only if it is not settled yet',
    'true',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'else if (isEarly)',
    'the mutant changes nothing: a callback gets its own job only if it is not settled yet',
    'true',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'isDatabaseUnavailable',
    'the mutant changes nothing: if the database is unavailable, the next SQL statement fails with the same error',
  ],
  [
    'callbacks/apply-callbacks.ts',
    '{ isFinal: false, storesOutcomes }',
    'with one database server, the mutant changes nothing: undefined has the same effect as the default value',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'batch[index]',
    'the mutant removes a check that never fails: a batch has one message for each callback',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'paymentId !== null',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'parent: paymentSpan(paymentId)',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'links: [currentSpan()]',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'callbacks/apply-callbacks.ts',
    "'gapura.callback_id'",
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'if (!loaded)',
    'the mutant removes a check that never fails: the service has just read the callback with the same provider account',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'response === undefined ?',
    'the mutant changes nothing: undefined counts as no response',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'needInquiry.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'early.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'failing.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/inquire-unreadable.ts',
    'candidates.length > 0',
    'the mutant changes nothing: if there are no candidates, the search finds nothing',
  ],
  [
    'callbacks/inquire-unreadable.ts',
    'candidates: []',
    'the mutant changes nothing: it adds a search key that matches no row',
  ],
  [
    'callbacks/inquire-unreadable.ts',
    'there is no payment',
    'the mutant removes a check that never fails: payments are never deleted',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'runAndRollBack(app, tx =>',
    'the mutant changes nothing: the dry run only determines which inquiries are needed',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'settled?.applied',
    'the mutant removes a check that never fails: each callback has exactly one result',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'settled?.neededInquiries',
    'the mutant removes a check that never fails: each callback has exactly one result',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'loaded?.provider',
    'the mutant removes a check that never fails: the service has just read the callback with the same provider account',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'tx.executionPromise.catch',
    'the mutant causes an unhandled rejection, which fails a normal Vitest run but not a run of this mutation test',
  ],
  [
    'callbacks/record-callbacks.ts',
    'events.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/record-callbacks.ts',
    'unclaimed.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/record-callbacks.ts',
    'unreadable.length > 0',
    'the mutant changes nothing: with an empty list, the SQL statement changes no rows',
  ],
  [
    'callbacks/record-callbacks.ts',
    "first?.callback.id ?? ''",
    'the mutant changes nothing: each callback in a batch has at least one message',
  ],
  [
    'callbacks/record-callbacks.ts',
    'message.update.reference === null',
    'the mutant changes nothing: an update with a reference is matched by this reference',
    'true',
  ],
  [
    'callbacks/record-callbacks.ts',
    ': [],',
    'the mutant changes nothing: it adds a search key that matches no row',
  ],
  [
    'callbacks/record-callbacks.ts',
    "fact.type === 'paid' ?",
    'the mutant changes nothing: only a provider’s report of type `paid` has a receipt ID',
  ],
  [
    'callbacks/record-callbacks.ts',
    "case 'set_aside'",
    'the mutant changes nothing: the next case returns the same value',
  ],
  [
    'callbacks/callback-inquiries.ts',
    'oldest !== undefined',
    'the mutant removes a check that never fails: the map is full at this point, so it has an oldest key',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'references.length > 0',
    'the mutant changes nothing: if the list of keys is empty, the search finds no payment',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'ids.length > 0',
    'the mutant changes nothing: if the list of keys is empty, the search finds no payment',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'reference === null ?',
    'the mutant changes nothing: it adds a search key that matches no row',
  ],
  [
    'callbacks/find-callback-payments.ts',
    '!providerPaymentId ?',
    'the mutant changes nothing: it adds a search key that matches no row',
  ],
  [
    'values/allowed-source.ts',
    'address === undefined',
    'the mutant changes nothing: undefined is not a valid IP address',
  ],
  [
    'callbacks/verify-callback.ts',
    'each !== credentials',
    "the mutant changes nothing: the account's current credentials are always tried",
  ],
  [
    'callbacks/verify-callback.ts',
    '!refused',
    'the mutant removes a check that never fails: a provider account always has current credentials',
  ],
  ['ledger/merkle.ts', 'left.size', 'the mutant changes nothing: sizes are only compared for equality'],
  [
    'ledger/prove-head.ts',
    'cached?.tree',
    'the mutant has an effect only if the hash tree cannot be read for two ledger statements in a row',
  ],
  [
    'ledger/ledger.sql.ts',
    'rows[0]?.held',
    'the mutant changes nothing: an aggregate query always returns one row',
  ],
  [
    'webhooks/delivery/tenant-queues.ts',
    'let lastWasUnresponsive',
    'the mutant changes only which of two ready tenant queues is served first',
  ],
  [
    'webhooks/delivery/tenant-queues.ts',
    '!queue || !lease',
    'the mutant removes a check that never fails: a ready queue always has a waiting event',
  ],
  [
    'webhooks/delivery/deliver-webhooks.ts',
    'const spanOf',
    'the mutant changes only traces, which test/journeys/tracing.isolated.test.ts tests',
  ],
  [
    'webhooks/delivery/deliver-webhooks.ts',
    'isStarting',
    'the mutant changes only how many delivery attempts start before the event loop handles other work',
  ],
  [
    'webhooks/delivery/sign.ts',
    '!cached',
    'the mutant changes only a cache: the signing keys are derived again',
  ],
  [
    'webhooks/delivery/sign.ts',
    'keys.set',
    'the mutant changes only a cache: the signing keys are derived again',
  ],
  [
    'providers/lenient-fields.ts',
    'issue?.',
    'the mutant changes nothing: a failed parse has at least one issue',
  ],
  [
    'providers/midtrans/translate.ts',
    'text === undefined',
    'the mutant changes nothing: undefined is converted to the text "undefined", which the pattern does not match',
  ],
  [
    'providers/tripay/translate.ts',
    'seconds !== undefined',
    'the mutant changes nothing: undefined is converted to the text "undefined", which the pattern does not match',
  ],
  [
    'providers/xendit/translate.ts',
    'text === undefined',
    'the mutant changes nothing: undefined is converted to the text "undefined", which the pattern does not match',
  ],
  [
    'providers/xendit/translate.ts',
    'captures.at(-1)',
    'the mutant changes nothing: the list of captures is never empty here',
  ],
  [
    'providers/xendit/messages.ts',
    '{ initial: anyAmount, terminal: anyAmount }',
    'the mutant changes nothing: the two fields may have any value, and the schema also keeps fields that it does not list',
  ],
]

/** Returns the reason why a mutant may survive. The mutant is identified by its source line, code and replacement. */
export const reasonFor = (file, { line, original, replacement }) =>
  reasons.find(
    ([path, code, , only]) =>
      path === file &&
      (line.includes(code) || original.includes(code)) &&
      (only === undefined || only === replacement),
  )?.[2] ?? 'not examined yet'

/** Returns the outdated rules. A rule is outdated if its file does not exist or no longer contains the quoted code. */
export const outdatedReasons = () => reasons.filter(([file, code]) => !sourceOf(file).includes(code))

/** Returns a file's source code, with each sequence of white space replaced with one space. */
function sourceOf(file) {
  const path = join(import.meta.dirname, '../packages/server/src', file)
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\s+/g, ' ') : ''
}
