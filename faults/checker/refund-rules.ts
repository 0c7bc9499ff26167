// The rules for refunds that every fault-injection round must satisfy. Like all rules of the checker, they
// share no code with the service.

import type { EntryRow, Evidence, ProviderOrder, ProviderReturn, RefundRow } from './evidence.ts'

/** The rules by title. Each rule is a function that returns a description of every violation. */
export const refundRules = {
  'every refund exists if its create request returned 200': ({ answeredRefunds, refunds }: Evidence) => {
    const byId = new Map(refunds.map(refund => [refundOf(refund), refund]))
    return answeredRefunds.flatMap(({ key, paymentId, amount, ...answer }) => {
      const row = byId.get(refundOf(answer))
      if (!row)
        return [
          `the refund ${answer.id} (key ${key}) was confirmed with 200, but does not exist in the database`,
        ]
      return row.key === key && row.paymentId === paymentId && row.amount === amount
        ? []
        : [
            `the refund ${row.reference} (key ${key}) in the database differs from the refund in the response that confirmed its creation`,
          ]
    })
  },

  'no idempotency key creates more than one refund': ({ answeredRefunds, refunds }: Evidence) => {
    const kept = refunds.flatMap(({ tenantId, key, id }) => (key === null ? [] : [{ tenantId, key, id }]))
    return [...Map.groupBy([...answeredRefunds, ...kept], ({ tenantId, key }) => `${tenantId}/${key}`)]
      .map(([key, same]) => ({ key, count: new Set(same.map(({ id }) => id)).size }))
      .filter(({ count }) => count > 1)
      .map(({ key, count }) => `the idempotency key ${key} has ${count} refunds, but only one is allowed`)
  },

  'every refund is debited exactly once': ({ refunds, entries }: Evidence) => {
    const byRefund = groupByRefund(entries)
    return refunds
      .filter(({ status }) => status !== 'failed')
      .flatMap(refund => {
        const of = byRefund.get(refundOf(refund)) ?? []
        return of.length === 1 && of[0]?.type === 'debit' && of[0].amount === refund.amount
          ? []
          : [
              `${describe(refund)} has ${of.length} entries: ${sum(of.map(signed))}; it must have exactly one debit of the refunded amount`,
            ]
      })
  },

  'a failed refund leaves no debit': ({ refunds, entries }: Evidence) => {
    const byRefund = groupByRefund(entries)
    return refunds
      .filter(({ status }) => status === 'failed')
      .map(refund => ({ refund, net: sum((byRefund.get(refundOf(refund)) ?? []).map(signed)) }))
      .filter(({ net }) => net !== 0n)
      .map(({ refund, net }) => `the ledger entries of ${describe(refund)} add up to ${net} instead of 0`)
  },

  'the refunds at the provider equal the debits': ({ payments, orders, refunds, entries }: Evidence) => {
    const byCode = Map.groupBy(orders, codeOf)
    const byRefund = groupByRefund(entries)
    const ofPayment = Map.groupBy(refunds, ({ tenantId, paymentId }) => `${tenantId}/${paymentId}`)
    return payments.flatMap(({ tenantId, id, code }) => {
      const ordered = byCode.get(code) ?? []
      const returns = ordered.flatMap(order => order.returns.filter(isOurs))
      const own = (ofPayment.get(`${tenantId}/${id}`) ?? []).filter(isAtProvider)
      const unsettled = own.filter(
        refund =>
          refund.status === 'pending' &&
          !ordered.some(order => listedIn(order.returns, refund) && !isHiddenFailure(order, refund)),
      )
      const debits = -sum(own.flatMap(refund => (byRefund.get(refundOf(refund)) ?? []).map(signed)))
      // A requested refund stays debited until its outcome is known. In two cases, only the Owner can decide
      // the outcome: the request never reached the provider, or the provider never reports that the refund
      // failed.
      const expected = debits - sum(unsettled.map(({ amount }) => amount))
      const returned = sum(returns.filter(({ status }) => status !== 'failed').map(({ cents }) => cents))
      return returned === expected
        ? []
        : [`${code}: the provider refunded ${returned}, but ${expected} was debited`]
    })
  },

  'refunds never exceed the amount paid': ({ payments, orders, refunds }: Evidence) => {
    const standing = Map.groupBy(
      refunds.filter(({ status, origin }) => status !== 'failed' && origin === 'merchant'),
      ({ tenantId, paymentId }) => `${tenantId}/${paymentId}`,
    )
    const here = payments
      .map(({ tenantId, id, ...payment }) => ({
        ...payment,
        refunded: sum((standing.get(`${tenantId}/${id}`) ?? []).map(({ amount }) => amount)),
      }))
      .filter(({ refunded, amountPaid }) => refunded > (amountPaid ?? 0n))
      .map(
        ({ code, refunded, amountPaid }) => `${code} has refunds of ${refunded}, but ${amountPaid} was paid`,
      )
    const there = orders
      .filter(({ returns, recordedCents }) => returnedCents(returns) > recordedCents)
      .map(
        ({ provider, reference, returns, recordedCents }) =>
          `the provider ${provider} refunded ${returnedCents(returns)} for ${reference}, but only ${recordedCents} was paid`,
      )
    return [...here, ...there]
  },

  'every refund is final or the Owner must act on it': ({ payments, orders, refunds }: Evidence) => {
    const codes = new Map(payments.map(({ tenantId, id, code }) => [`${tenantId}/${id}`, code]))
    const byCode = Map.groupBy(orders, codeOf)
    return refunds
      .filter(refund => refund.status === 'pending' && refund.method !== 'manual')
      .flatMap(refund => {
        const code = codes.get(`${refund.tenantId}/${refund.paymentId}`) ?? ''
        const visible = (byCode.get(code) ?? []).filter(order => !isHiddenFailure(order, refund))
        if (!refund.isRequested) return [`${describe(refund)} was never requested from the provider`]
        // The service may request a refund from the provider only once. If this request was lost, or if the
        // provider never reports that the refund failed, only the Owner can decide the refund's outcome.
        const listed = listedIn(
          visible.flatMap(order => order.returns),
          refund,
        )
        return listed ? [`${describe(refund)} has the status ${listed.status} at the provider`] : []
      })
  },
} satisfies Record<string, (evidence: Evidence) => string[]>

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const signed = ({ type, amount }: EntryRow): bigint => (type === 'credit' ? amount : -amount)
const codeOf = ({ reference }: ProviderOrder): string => reference.split('-').slice(0, 2).join('-')
const refundOf = ({ tenantId, id }: { tenantId: string; id: string }): string => `${tenantId}/${id}`
const groupByRefund = (entries: EntryRow[]): Map<string, EntryRow[]> =>
  Map.groupBy(
    entries.filter(({ refundId }) => refundId !== null),
    ({ tenantId, refundId }) => `${tenantId}/${refundId}`,
  )

const isOurs = ({ key, kind }: ProviderReturn): boolean => kind === 'refund' && key !== null
const isAtProvider = ({ origin, method }: RefundRow): boolean =>
  origin === 'merchant' && method === 'provider'
const listedIn = (returns: ProviderReturn[], { reference }: RefundRow): ProviderReturn | undefined =>
  returns.find(({ key }) => key === reference)
/**
 * Returns whether the refund failed at the provider without a report of the failure. Because the provider had
 * accepted the refund and never reports the failure, the service keeps the refund pending.
 */
const isHiddenFailure = ({ listsRefunds, returns }: ProviderOrder, refund: RefundRow): boolean =>
  !listsRefunds && refund.status === 'pending' && listedIn(returns, refund)?.status === 'failed'
const returnedCents = (returns: ProviderReturn[]): bigint =>
  sum(returns.filter(({ status }) => status !== 'failed').map(({ cents }) => cents))
const describe = ({ provider, reference, status }: RefundRow): string =>
  `${provider}'s refund ${reference} (${status})`

/**
 * Returns the sum of a payment's refunds that are debited from the merchant although the provider still holds the
 * money. There are three such cases:
 * - The Owner makes the refund by bank transfer.
 * - The refund request was lost.
 * - The provider never reports that the refund failed.
 */
export const heldForRefunds = (refunds: RefundRow[], order: ProviderOrder): bigint =>
  sum(
    refunds
      .filter(({ origin, status }) => origin === 'merchant' && status !== 'failed')
      .filter(
        refund =>
          refund.method === 'manual' || !listedIn(order.returns, refund) || isHiddenFailure(order, refund),
      )
      .map(({ amount }) => amount),
  )
