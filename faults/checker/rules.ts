// The rules that every fault-injection round must satisfy. They check what the documentation guarantees to
// merchants.

import type {
  EntryRow,
  Evidence,
  PaymentRow,
  ProviderOrder,
  TransitionRow,
  UnexpectedRow,
} from './evidence.ts'
import { heldForRefunds, refundRules } from './refund-rules.ts'

export type Violation = { rule: RuleName; detail: string }
export type RuleName = keyof typeof rules

/** The documentation promises four delivery attempts per webhook: the first attempt and three retries. */
const ATTEMPTS = 4

/** The payment statuses for which the merchant gets a webhook. */
const told = ['paid', 'failed', 'expired', 'cancelled', 'challenged']

/**
 * The final statuses that a processed callback may have in a fault-injection round. `unmatched` is not allowed, because
 * every order in a round belongs to a payment of the service.
 */
const outcomes = ['applied', 'repeated', 'refused', 'ignored']

/**
 * The rules that the checker verifies after a round. Each rule has a title and a function, which returns one
 * description per violation. The description names the affected payment, event or callback.
 */
export const rules = {
  ...refundRules,

  'every payment whose create request returned 200 exists': ({ answered, payments, orders }: Evidence) => {
    const byId = indexBy(payments, ({ tenantId, id }) => `${tenantId}/${id}`)
    const ordered = groupBy(orders, codeOf)
    return answered.flatMap(create => {
      const row = byId.get(`${create.tenantId}/${create.id}`)
      const name = `${create.code} (key ${create.key})`
      if (!row) return [`the payment ${name} was confirmed with 200, but does not exist in the database`]
      if (
        row.key !== create.key ||
        row.code !== create.code ||
        row.amount !== create.amount ||
        !create.isEcho
      )
        return [`the stored payment ${name} differs from the response that confirmed its creation`]
      return ordered.has(create.code)
        ? []
        : [`the create request for payment ${name} returned 200, but no provider has an order for it`]
    })
  },

  'a create request that gets no response leaves its payment in the status unknown': ({
    unanswered,
    payments,
  }: Evidence) => {
    const byKey = indexBy(payments, ({ tenantId, key }) => `${tenantId}/${key}`)
    return unanswered.flatMap(({ tenantId, key }) => {
      const status = byKey.get(`${tenantId}/${key}`)?.status
      // Some providers cannot report whether an order exists. If such a provider does not respond to a charge, the
      // payment stays `unknown` until the Owner decides.
      return status === 'unknown'
        ? []
        : [`the request with key ${key} got no response, but its payment is ${status ?? 'missing'}`]
    })
  },

  'no idempotency key creates more than one payment': ({ answered, payments }: Evidence) => {
    const kept = payments.map(({ tenantId, key, id }) => ({ tenantId, key, id }))
    const ids = groupBy([...answered, ...kept], ({ tenantId, key }) => `${tenantId}/${key}`)
    return [...ids]
      .filter(([, same]) => new Set(same.map(({ id }) => id)).size > 1)
      .map(
        ([key, same]) =>
          `the idempotency key ${key} has ${new Set(same.map(({ id }) => id)).size} payments, but only one is allowed`,
      )
  },

  'every payment is charged once': ({ orders }: Evidence) =>
    [...groupBy(orders, codeOf)]
      .filter(([, same]) => same.length > 1)
      .map(([code, same]) => `${code} has ${same.length} orders: ${same.map(describeOrder).join(', ')}`),

  'every acknowledged callback is applied': ({ sent, callbacks }: Evidence) => {
    const place = ({ provider, body }: { provider: string; body: string }) => `${provider}\n${body}`
    const kept = groupBy(callbacks, place)
    const answered = groupBy(
      sent.filter(({ answeredStatus }) => answeredStatus === 200),
      place,
    )
    return [...answered].flatMap(([key, same]) => {
      const rows = kept.get(key) ?? []
      const reference = `${same[0]?.provider} ${same[0]?.reference}`
      if (rows.length < same.length)
        return [
          `${reference}: ${same.length} callbacks were acknowledged, but ${rows.length} stored; every acknowledged callback must be stored`,
        ]
      return rows
        .filter(({ status }) => !outcomes.includes(status))
        .map(({ status }) => `${reference}: a callback is ${status}, although it was acknowledged`)
    })
  },

  'every received payment has exactly one credit': ({ orders, payments, entries }: Evidence) => {
    const byCode = indexBy(payments, ({ code }) => code)
    const ownEntries = entries.filter(({ refundId }) => refundId === null)
    const byPayment = groupBy(ownEntries, entryPayment)
    return orders.filter(isPaidAsAsked).flatMap(order => {
      const payment = byCode.get(codeOf(order))
      if (!payment) return [`${describeOrder(order)} was paid at the provider, but belongs to no payment`]
      const of = byPayment.get(paymentOf(payment)) ?? []
      const [only] = of
      if (of.length !== 1) return [`${describeOrder(order)} has ${of.length} entries`]
      return only?.type === 'credit' && only.amount === order.recordedCents
        ? []
        : [
            `${describeOrder(order)} has a ledger entry of another kind or amount: ${only?.type} of ${only?.amount}`,
          ]
    })
  },

  'the ledger and the open records add up to the money at the provider': (evidence: Evidence) => {
    const { orders, payments, entries, refunds, unexpected } = evidence
    const byCode = indexBy(payments, ({ code }) => code)
    const entriesOf = groupBy(entries, entryPayment)
    const refundsOf = groupBy(refunds, entryPayment)
    const recordsOf = groupBy(unexpected, ({ paymentId }) => paymentId ?? '')
    const isReported = reportedBy(evidence)
    return orders
      .filter(order => isPaid(order) && isReported(order))
      .flatMap(order => {
        const payment = byCode.get(codeOf(order))
        if (!payment) return [`${describeOrder(order)} was paid at the provider, but belongs to no payment`]
        const records = (recordsOf.get(payment.id) ?? []).filter(isWaiting)
        const posted = sum((entriesOf.get(paymentOf(payment)) ?? []).map(signed))
        const waiting = sum(records.map(waitingCents))
        const held = heldForRefunds(refundsOf.get(paymentOf(payment)) ?? [], order)
        // Some providers report a refund without its amount. The Owner must then enter the amount.
        const isSumUnknown =
          records.some(({ amount }) => amount === null) && posted + waiting + held > order.heldCents
        return isSumUnknown || posted + waiting + held === order.heldCents
          ? []
          : [
              `${describeOrder(order)}: the provider holds ${order.heldCents}, but the ledger has ${posted}, open records ${waiting} and unfinished refunds ${held}; these three must add up to the amount held`,
            ]
      })
  },

  'no payment is paid or credited unless the provider received money for it': ({
    orders,
    payments,
    entries,
  }: Evidence) => {
    const taken = groupBy(orders.filter(isPaid), codeOf)
    const byPayment = indexBy(payments, paymentOf)
    const wrongly = payments
      .filter(({ status, code, amountPaid }) => {
        const [order] = taken.get(code) ?? []
        // The amount paid may be the requested amount, the amount that the provider recorded, or the recorded amount
        // minus the payer's fee. If the provider records a larger amount later, a paid payment keeps its amount.
        const sums = order
          ? [order.askedCents, order.recordedCents, order.recordedCents - order.payerFeeCents]
          : []
        return status === 'paid' && !sums.includes(amountPaid ?? 0n)
      })
      .map(
        ({ code, amountPaid }) =>
          `payment ${code} is paid with ${amountPaid}, but its provider reports another amount or no payment at all`,
      )
    const unfounded = entries
      .filter(entry => !taken.has(byPayment.get(entryPayment(entry))?.code ?? ''))
      .map(
        entry =>
          `the ledger has a ${entry.type} of ${entry.amount} for payment ${entry.paymentId}, which was not paid at the provider`,
      )
    return [...wrongly, ...unfounded]
  },

  'every payment with a credit is paid': ({ payments, entries }: Evidence) => {
    const credited = new Set(entries.filter(({ type }) => type === 'credit').map(entryPayment))
    return payments
      .filter(payment => credited.has(paymentOf(payment)) !== (payment.status === 'paid'))
      .map(({ code, status }) => `${code} is ${status}`)
  },

  'every balance equals the sum of its entries': ({ entries, balances }: Evidence) => {
    const chains = groupBy(entries, chainOf)
    const strangers = [...chains.keys()].filter(name => !balances.some(balance => chainOf(balance) === name))
    return [
      ...strangers.map(name => `${name} does not exist, but has ledger entries`),
      ...balances.flatMap(balance => brokenChain(balance, chains.get(chainOf(balance)) ?? [])),
    ]
  },

  'every payment has a complete timeline': ({ payments, transitions }: Evidence) => {
    const lines = groupBy(transitions, ({ tenantId, paymentId }) => `${tenantId}/${paymentId}`)
    return payments
      .filter(payment => !isWhole(payment, lines.get(paymentOf(payment)) ?? []))
      .map(({ code, status }) => `the timeline of ${code} has a gap or does not end with ${status}`)
  },

  'every status change has one webhook event': ({ transitions, events }: Evidence) => {
    const byNumber = groupBy(
      events,
      ({ tenantId, paymentId, number }) => `${tenantId}/${paymentId}/${number}`,
    )
    return transitions
      .filter(({ from, to }) => told.includes(to) && from !== to)
      .flatMap(({ tenantId, paymentId, number, to }) => {
        const same = byNumber.get(`${tenantId}/${paymentId}/${number}`) ?? []
        return same.length === 1 && same[0]?.type === `payment.${to}`
          ? []
          : [
              `payment ${paymentId} became ${to}, but this status change has ${same.length} webhook events; it must have one event of the matching type`,
            ]
      })
  },

  'every webhook event is delivered': ({ events, arrivals }: Evidence) => {
    const genuine = new Set(
      arrivals
        .filter(({ isGenuine }) => isGenuine)
        .map(({ tenantId, eventId, type, paymentId }) => `${tenantId}/${eventId}/${type}/${paymentId}`),
    )
    return events
      .filter(
        ({ tenantId, id, type, paymentId }) =>
          paymentId !== null && !genuine.has(`${tenantId}/${id}/${type}/${paymentId}`),
      )
      .map(({ id, type, attempts }) => `${type} ${id} was not delivered in ${attempts} attempts`)
  },

  'every delivered webhook is signed and has an event': ({ events, arrivals }: Evidence) => {
    const known = new Set(events.map(({ tenantId, id, type }) => `${tenantId}/${id}/${type}`))
    return arrivals.flatMap(({ tenantId, eventId, type, isGenuine }) => {
      if (!isGenuine) return [`${type} ${eventId} was delivered with an invalid signature`]
      return known.has(`${tenantId}/${eventId}/${type}`)
        ? []
        : [`${type} ${eventId} was delivered, but the database has no such event`]
    })
  },

  'no webhook event has too many delivery attempts': ({
    events,
    arrivals,
    interruptions,
    redelivered,
  }: Evidence) => {
    const arrived = groupBy(arrivals, ({ eventId }) => eventId)
    return events.flatMap(({ id, type, attempts }) => {
      const allowed = ATTEMPTS + (redelivered.has(id) ? 1 : 0)
      if (attempts > allowed)
        return [`${type} ${id} has ${attempts} attempts, at most ${allowed} are allowed`]
      const surplus = (arrived.get(id)?.length ?? 0) - attempts
      // Each interruption (a fault that stops a worker or the database) may lose the record of at most one
      // delivery attempt.
      return surplus > interruptions
        ? [
            `${type} ${id} was delivered ${surplus} times more often than recorded, but at most ${interruptions} unrecorded attempts are allowed`,
          ]
        : []
    })
  },

  'no payment of the exact amount waits for a decision of the Owner, unless it is late': ({
    orders,
    unexpected,
  }: Evidence) => {
    const special = new Set(
      orders.filter(order => isPaid(order) && !isPaidAsAsked(order)).map(({ reference }) => reference),
    )
    return unexpected
      .filter(
        ({ kind, status, reference }) => kind !== 'late' && status === 'open' && !special.has(reference),
      )
      .map(({ kind, reference }) => `${reference}: ${kind}`)
  },
} satisfies Record<string, (evidence: Evidence) => string[]>

export const check = (evidence: Evidence): Violation[] =>
  (Object.keys(rules) as RuleName[]).flatMap(rule => rules[rule](evidence).map(detail => ({ rule, detail })))

const codeOf = ({ reference }: ProviderOrder): string => reference.split('-').slice(0, 2).join('-')
const isPaid = ({ status }: ProviderOrder): boolean => status === 'paid'
/** Returns whether exactly the requested amount was paid and nothing was returned to the payer. */
const isPaidAsAsked = (order: ProviderOrder): boolean =>
  isPaid(order) && order.recordedCents === order.askedCents && order.heldCents === order.recordedCents
const describeOrder = ({ provider, reference, recordedCents, status }: ProviderOrder): string =>
  `${provider}'s ${reference} (${status}, ${recordedCents})`
const paymentOf = ({ tenantId, id }: PaymentRow): string => `${tenantId}/${id}`
const entryPayment = ({ tenantId, paymentId }: { tenantId: string; paymentId: string }): string =>
  `${tenantId}/${paymentId}`
const chainOf = ({ tenantId, mode }: { tenantId: string; mode: string }): string =>
  `balance ${tenantId} ${mode}`

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const signed = ({ type, amount }: EntryRow): bigint => (type === 'credit' ? amount : -amount)
const returnKinds = ['refund', 'chargeback']

const isWaiting = ({ status, credited }: UnexpectedRow): boolean => status === 'open' && !credited

function waitingCents({ kind, amount }: UnexpectedRow): bigint {
  if (amount === null) return 0n
  return returnKinds.includes(kind) ? -amount : amount
}

/**
 * Returns a function that checks whether the service accepted a notification about an order's current state. The
 * service no longer polls a paid order. If the order changes later and no such notification is accepted, only the
 * reconciliation finds the change.
 */
function reportedBy({ sent }: Evidence): (order: ProviderOrder) => boolean {
  const taken = groupBy(
    sent.filter(({ answeredStatus }) => answeredStatus === 200),
    placeOf,
  )
  return order => {
    const bodies = (taken.get(placeOf(order)) ?? []).map(({ body }) => body)
    const isGrown = order.recordedCents !== order.askedCents
    const isReturned = order.heldCents !== order.recordedCents
    return (
      (!isGrown || bodies.some(body => body.includes(`${order.recordedCents / 100n}`))) &&
      (!isReturned || bodies.some(body => reportsReturn.test(body.replaceAll(emptyList, ''))))
    )
  }
}

/** Matches an empty list of refunds, because SNAP messages contain such a list even if nothing was refunded. */
const emptyList = /"refund\w*":\[\]/gi
const reportsReturn = /refund|chargeback|dispute|"04"/i

const placeOf = ({ provider, reference }: { provider: string; reference: string }): string =>
  `${provider}/${reference}`

function brokenChain(balance: Evidence['balances'][number], entries: Evidence['entries']): string[] {
  let sum = 0n
  let version = 0n
  for (const entry of entries.toSorted((a, b) => Number(a.version - b.version))) {
    version += 1n
    sum += entry.type === 'credit' ? entry.amount : -entry.amount
    if (entry.version !== version || entry.balanceAfter !== sum)
      return [`the sequence of ledger entries for ${chainOf(balance)} breaks at entry ${entry.version}`]
  }
  return balance.balance === sum && balance.version === version
    ? []
    : [`${chainOf(balance)} is ${balance.balance}, but its ledger entries add up to ${sum}`]
}

function isWhole({ status }: PaymentRow, line: TransitionRow[]): boolean {
  const steps = line.toSorted((a, b) => a.number - b.number)
  return (
    steps.at(-1)?.to === status &&
    steps.every(
      (step, n) =>
        n === 0 || (step.number === (steps[n - 1]?.number ?? 0) + 1 && step.from === steps[n - 1]?.to),
    )
  )
}

function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
  return Map.groupBy(values, keyOf)
}

const indexBy = <T>(values: T[], keyOf: (value: T) => string): Map<string, T> =>
  new Map(values.map(value => [keyOf(value), value]))
