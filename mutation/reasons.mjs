// Lists the reasons why a mutant may survive. A reason is found by the code of the mutant and not by its line number,
// which changes with every edit. The first rule that matches a mutant applies.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Each rule is [file, code, reason, replacement]. `code` is a part of the mutated code or of its line. If the rule
 * has a replacement, it applies only to the mutant with this replacement.
 */
export const reasons = [
  [
    'inbox/decision.ts',
    'amount !== undefined && amount > sum',
    'equivalent: comparing undefined with an amount is always false',
    'true',
  ],
  ['values/canonical-json.ts', 'value === null', 'equivalent: a parsed order has no null fields', 'false'],
  [
    'payments/inquiry-schedule.ts',
    'now < payment.expiresAt',
    'equivalent: if the two times are equal, both branches return this time',
  ],
  [
    'payments/inquiry-schedule.ts',
    'one < other',
    'equivalent: if the two times are equal, both branches return this time',
  ],
  [
    'payments/inquiry-schedule.ts',
    'each * MINUTE_MS > elapsedMs',
    'equivalent: the elapsed time includes ROUNDING_MS, so it is never a whole minute',
  ],
  [
    'payments/inquiry-schedule.ts',
    'elapsedMs < DAY_MS',
    'equivalent: the elapsed time includes ROUNDING_MS, so it is never a whole day',
  ],
  [
    'payments/record/payment-transfer.ts',
    'default: return undefined',
    'equivalent: without this case, the function also returns undefined',
  ],
  [
    'payments/record/interpret-update.ts',
    "case 'unproven': return undefined",
    'equivalent: without this case, the function also returns undefined',
  ],
  [
    'payments/record/plan-received-money.ts',
    "event.type === 'paid' && event.acceptedId",
    'equivalent: only paid events have an acceptedId',
  ],
  [
    'payments/record/plan-received-money.ts',
    "payment.status !== 'paid' || payment.amountPaid === null",
    'equivalent: by a table constraint, a payment has a paid amount if and only if it is paid',
  ],
  [
    'payments/record/plan-received-money.ts',
    'unconfirmedSince === null || amountPaid === null',
    'equivalent: null compares as zero, and no received amount is below zero',
  ],
  [
    'payments/record/plan-received-money.ts',
    "kind !== 'reversal'",
    'equivalent: a reversal always belongs to an earlier round',
  ],
  [
    'payments/record/plan-received-money.ts',
    "event.type !== 'paid' || payment.amountReceived",
    'equivalent: a partial payment of the current round never exceeds the paid amount',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'rank[reported.status]',
    'equivalent: two statuses never have the same rank',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'amount !== null && amount > 0n',
    'equivalent: null is not greater than zero',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'a === null || b === null',
    'equivalent: null compares as zero, and all amounts are positive',
  ],
  [
    'payments/record/plan-returned-money.ts',
    'a > b',
    'equivalent: if the two amounts are equal, both branches return this amount',
  ],
  [
    'payments/record/transitions.ts',
    "event.type === 'underpaid'",
    'equivalent: only an underpaid event has a received amount to compare',
  ],
  [
    'payments/record/transitions.ts',
    "payment.status !== 'paid' || isSecondPayment",
    'equivalent: the fields of the new status overwrite these fields',
  ],
  ['payments/record/transitions.ts', 'default: return {}', 'equivalent: spreading undefined adds no fields'],
  ['payments/record/transitions.ts', 'known === null', 'equivalent: every amount is greater than null'],
  [
    'payments/record/transitions.ts',
    'cannot pay a payment',
    'guard: the transition table allows no other event here',
  ],
  [
    'payments/create/charge-payment.ts',
    '{ cause: error }',
    'affects only the cause of a logged error, which is not used',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    '{ parent: paymentSpan(payment.id) }',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    'freeSlots === 0',
    'equivalent: a claim without a free slot returns no payments',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    '!hasTransitioned(payment, refreshed)',
    'equivalent: both branches return the first step of the schedule',
  ],
  [
    'payments/inquire/sweep-due-payments.ts',
    'next < again',
    'equivalent: if the two times are equal, both branches return this time',
  ],
  [
    'payments/inquire/next-check.sql.ts',
    '=> payment.tenantId',
    'affects only the check of the caller’s scope; the only caller, the sweep, has no scope',
  ],
  [
    'payments/inquire/early-checks.ts',
    'last !== undefined',
    'equivalent: comparing a number with undefined is always false',
  ],
  [
    'payments/inquire/inquire-and-record.ts',
    "typeof result !== 'string'",
    'equivalent: a response that is a string contains no returns',
  ],
  [
    'payments/record/event-batch.ts',
    'balances: Balance[] = []',
    'equivalent: the entry that the mutant adds has no tenant, so it is never looked up',
  ],
  [
    'payments/record/event-batch.ts',
    'records.get(id) ?? []',
    'guard: every changed record is a known record',
  ],
  [
    'payments/record/record-event.ts',
    '{ startedMs, postedMs }',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'payments/record/record-event.ts',
    'log?.error',
    'causes an unhandled rejection, which fails a normal Vitest run but not this runner',
  ],
  [
    'payments/record/record-event.ts',
    'input.reportedReturns.returns.length > 0',
    'equivalent: without returns, the additional records are not used',
  ],
  [
    'payments/record/record-step.ts',
    "applied.kind === 'changed' ?",
    'equivalent: planMoney has already removed credits that change nothing',
  ],
  ['payments/record/record-step.ts', 'records.length > 0', 'equivalent: without records, nothing is written'],
  [
    'payments/record/record-step.ts',
    'default: return undefined',
    'equivalent: without this case, the function also returns undefined',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'assigned.length > 0',
    'affects only the order of locks: the payment is locked again when it is credited',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    "fact.type === 'paid'",
    'equivalent: only paid facts have an amount',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'records.get(id) ?? []',
    'guard: every changed record is a known record',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'all.filter',
    'equivalent: an existing record is not inserted again, and updating a new record changes nothing',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'inserted.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'updated.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'events.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'payments/record/record-unmatched-money.ts',
    'tenantId === null || paymentId === null',
    'guard: a debited record always has a payment',
  ],
  [
    'payments/resolve-payment.ts',
    'locked?.status',
    'guard: the payment exists, and payments are never deleted',
  ],
  ['payments/resolve-payment.ts', "event.type === 'paid'", 'equivalent: only paid events can be unconfirmed'],
  ['payments/resolve-payment.ts', 'recorded?.kind', 'guard: the payment is locked, so the event applies'],
  ['payments/resolve-payment.ts', 'part.amount === null', 'guard: every partial payment has an amount'],
  [
    'callbacks/apply-callbacks.ts',
    'read: [], neededInquiries',
    'equivalent: without a needed inquiry, the messages are not read again',
    '["Stryker was here"]',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'messages.length === 0',
    'equivalent: without messages, no callback is settled',
    'false',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'isEarly: false }',
    'equivalent: only a callback that is not settled yet gets a job of its own',
    'true',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'else if (isEarly)',
    'equivalent: only a callback that is not settled yet gets a job of its own',
    'true',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'isDatabaseUnavailable',
    'equivalent: if the database is unavailable, the next statement fails with the same error',
  ],
  [
    'callbacks/apply-callbacks.ts',
    '{ isFinal: false, storesOutcomes }',
    'equivalent on one PostgreSQL: undefined counts as the default',
  ],
  ['callbacks/apply-callbacks.ts', 'batch[index]', 'guard: a batch has a message of each callback'],
  [
    'callbacks/apply-callbacks.ts',
    'paymentId !== null',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'parent: paymentSpan(paymentId)',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'links: [currentSpan()]',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'callbacks/apply-callbacks.ts',
    "'gapura.callback_id'",
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  ['callbacks/apply-callbacks.ts', 'if (!loaded)', 'guard: the callback was just read with this account'],
  ['callbacks/apply-callbacks.ts', 'response === undefined ?', 'equivalent: undefined counts as no response'],
  [
    'callbacks/apply-callbacks.ts',
    'needInquiry.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'early.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/apply-callbacks.ts',
    'failing.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/inquire-unreadable.ts',
    'candidates.length > 0',
    'equivalent: if the list of candidates is empty, the search finds nothing',
  ],
  [
    'callbacks/inquire-unreadable.ts',
    'candidates: []',
    'equivalent: the key that the mutant adds matches no row',
  ],
  ['callbacks/inquire-unreadable.ts', 'there is no payment', 'guard: payments are never deleted'],
  [
    'callbacks/reprocess-callback.ts',
    'runAndRollBack(app, tx =>',
    'equivalent: this dry run only determines which inquiries are needed',
  ],
  ['callbacks/reprocess-callback.ts', 'settled?.applied', 'guard: one callback has one result'],
  ['callbacks/reprocess-callback.ts', 'settled?.neededInquiries', 'guard: one callback has one result'],
  [
    'callbacks/reprocess-callback.ts',
    'loaded?.provider',
    'guard: the callback was just read with this account',
  ],
  [
    'callbacks/reprocess-callback.ts',
    'tx.executionPromise.catch',
    'causes an unhandled rejection, which fails a normal Vitest run but not this runner',
  ],
  [
    'callbacks/record-callbacks.ts',
    'events.length > 0 ?',
    'equivalent: without events, the results are not read',
    '["Stryker was here"]',
  ],
  [
    'callbacks/record-callbacks.ts',
    'events.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/record-callbacks.ts',
    'unclaimed.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/record-callbacks.ts',
    'unreadable.length > 0',
    'equivalent: if the list is empty, the statement changes no row',
  ],
  [
    'callbacks/record-callbacks.ts',
    '.some(id => early',
    'equivalent: all messages of one read belong to one callback',
  ],
  [
    'callbacks/record-callbacks.ts',
    'message.update.reference === null',
    'equivalent: an update with a reference is matched by its reference',
    'true',
  ],
  ['callbacks/record-callbacks.ts', ': [],', 'equivalent: the key that the mutant adds matches no row'],
  [
    'callbacks/record-callbacks.ts',
    "typeof response.result !== 'string'",
    'equivalent: a response that is a string contains no returns',
  ],
  ['callbacks/record-callbacks.ts', "fact.type === 'paid' ?", 'equivalent: only paid facts have a receipt'],
  ['callbacks/record-callbacks.ts', "case 'set_aside'", 'equivalent: the next case returns the same value'],
  [
    'callbacks/callback-inquiries.ts',
    'oldest !== undefined',
    'guard: a map with ten thousand entries has a first key',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'references.length > 0',
    'equivalent: if the list of keys is empty, the search finds nothing',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'ids.length > 0',
    'equivalent: if the list of keys is empty, the search finds nothing',
  ],
  [
    'callbacks/find-callback-payments.ts',
    'reference === null ?',
    'equivalent: the key that the mutant adds matches no row',
  ],
  [
    'callbacks/find-callback-payments.ts',
    '!providerPaymentId ?',
    'equivalent: the key that the mutant adds matches no row',
  ],
  ['values/allowed-source.ts', 'address === undefined', 'equivalent: undefined is not a valid address'],
  [
    'callbacks/verify-callback.ts',
    'each !== credentials',
    'equivalent: the current credentials are always tried',
  ],
  ['callbacks/verify-callback.ts', '!refused', 'guard: an account always has current credentials'],
  ['ledger/merkle.ts', 'left.size', 'equivalent: sizes are only compared for equality'],
  ['ledger/prove-head.ts', 'cached?.tree', 'matters only if reading fails for two statements in a row'],
  ['ledger/ledger.sql.ts', 'rows[0]?.held', 'equivalent: an aggregate query always returns one row'],
  [
    'ledger/seal-ledger.ts',
    'count < ROUNDS_AT_ONCE',
    'affects only how much one call seals; the next call, ten seconds later, seals the rest',
  ],
  [
    'ledger/seal-ledger.ts',
    'round.sealed.length === 0',
    'affects only the duration of a call that cannot seal anything: it ends after fifty rounds',
  ],
  [
    'webhooks/delivery/tenant-queues.ts',
    'let lastWasUnresponsive',
    'affects only which of two ready queues is served first',
  ],
  ['webhooks/delivery/tenant-queues.ts', '!queue || !lease', 'guard: a ready queue has a waiting event'],
  [
    'webhooks/delivery/deliver-webhooks.ts',
    'const spanOf',
    'affects only tracing, which is tested in test/journeys/tracing.isolated.test.ts',
  ],
  [
    'webhooks/delivery/deliver-webhooks.ts',
    'isStarting',
    'affects only pacing: more attempts start in one turn of the event loop',
  ],
  ['webhooks/delivery/sign.ts', '!cached', 'affects only a cache: the signing keys are derived again'],
  ['webhooks/delivery/sign.ts', 'keys.set', 'affects only a cache: the signing keys are derived again'],
  ['providers/lenient-fields.ts', 'issue?.', 'equivalent: a failed parse has at least one issue'],
  [
    'providers/midtrans/translate.ts',
    'text === undefined',
    'equivalent: the pattern does not match the text "undefined"',
  ],
  [
    'providers/tripay/translate.ts',
    'seconds !== undefined',
    'equivalent: the pattern does not match the text "undefined"',
  ],
  [
    'providers/xendit/translate.ts',
    'text === undefined',
    'equivalent: the pattern does not match the text "undefined"',
  ],
  ['providers/xendit/translate.ts', 'captures.at(-1)', 'equivalent: the list is never empty here'],
  [
    'providers/xendit/messages.ts',
    '{ initial: anyAmount, terminal: anyAmount }',
    'equivalent: the fields may have any value, and the schema keeps fields that it does not name',
  ],
]

/**
 * Returns the reason why a mutant may survive. The mutant is identified by its source line, its code and its
 * replacement.
 */
export const reasonFor = (file, { line, original, replacement }) =>
  reasons.find(
    ([path, code, , only]) =>
      path === file &&
      (line.includes(code) || original.includes(code)) &&
      (only === undefined || only === replacement),
  )?.[2] ?? 'not examined yet'

/** Returns the outdated rules: their file does not exist or no longer contains the code that they quote. */
export const outdatedReasons = () => reasons.filter(([file, code]) => !sourceOf(file).includes(code))

/** Returns the source of a file with each run of white space as one space. */
function sourceOf(file) {
  const path = join(import.meta.dirname, '../packages/server/src', file)
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\s+/g, ' ') : ''
}
