// What reports of refunds and chargebacks mean for the records. Each return is one record, held until the Owner decides;
// the ledger moves by that decision, or where a return that was debited turns out not to have happened. Pure.

import type { MoneyReturn } from '../providers/provider.ts'
import type { PaymentEvent } from './payment.ts'
import { isReturn, type UnexpectedMoney } from './unexpected-money.ts'

export type ReturnsPlan = {
  /** New records, and known ones as they are afterwards. */
  records: UnexpectedMoney[]
  /** Credits for what was debited and did not go back after all. */
  undone: PaymentEvent[]
}

/**
 * open: creates a record of a return of this reference, undecided. known: the records of the payment, or of the
 * account where no payment has the reference.
 */
export function planReturns(
  { reference, returns }: { reference: string; returns: MoneyReturn[] },
  known: UnexpectedMoney[],
  open: (fields: ReturnFields) => UnexpectedMoney,
  at: Date,
): ReturnsPlan {
  const changed = new Map<string, UnexpectedMoney>()
  const undone: PaymentEvent[] = []
  for (const reported of returns) {
    const ofReturn = [...known.filter(({ id }) => !changed.has(id)), ...changed.values()].filter(
      record =>
        isReturn(record) &&
        record.kind === reported.kind &&
        record.reference === reference &&
        record.receipt === reported.id,
    )
    const latest = ofReturn.toSorted((a, b) => b.round - a.round)[0]
    const next = latest ? followUp(latest, reported, open, at) : firstRecord(reported, open, at)
    if (next === latest) continue
    changed.set(next.id, next)
    if (isUndone(latest, next))
      undone.push({
        type: 'paid_again',
        amount: next.amount,
        unexpectedMoneyId: next.id,
        why: `the ${reported.kind} ${reported.id} did not happen: ${next.reason}`,
      })
  }
  return { records: [...changed.values()], undone }
}

type ReturnFields = Pick<UnexpectedMoney, 'kind' | 'receipt' | 'amount' | 'returnStatus' | 'round'>

/** One that failed is kept as well, since messages of its beginning may follow. */
function firstRecord(
  reported: MoneyReturn,
  open: (fields: ReturnFields) => UnexpectedMoney,
  at: Date,
): UnexpectedMoney {
  const { kind, id, amount, status } = reported
  const record = open({ kind, receipt: id, amount: positive(amount), returnStatus: status, round: 1 })
  return status === 'failed' ? closed(record, reported, at) : record
}

const closed = (record: UnexpectedMoney, { kind }: MoneyReturn, at: Date): UnexpectedMoney => ({
  ...record,
  returnStatus: 'failed',
  status: 'dismissed',
  decidedAt: at,
  reason: kind === 'chargeback' ? 'the chargeback was won' : 'the provider reports that it failed',
})

/** A message that is older than what is known changes nothing. */
const rank: Record<MoneyReturn['status'], number> = { pending: 0, succeeded: 1, failed: 2 }

function followUp(
  latest: UnexpectedMoney,
  reported: MoneyReturn,
  open: (fields: ReturnFields) => UnexpectedMoney,
  at: Date,
): UnexpectedMoney {
  const before = latest.returnStatus ?? 'pending'
  const returnStatus = rank[reported.status] > rank[before] ? reported.status : before
  if (latest.status === 'dismissed') {
    // The Owner dismissed it while the provider was still at it; that it succeeded is new.
    const isNews = before === 'pending' && reported.status === 'succeeded'
    const amount = positive(reported.amount) ?? latest.amount
    return isNews
      ? open({ kind: reported.kind, receipt: reported.id, amount, returnStatus, round: latest.round + 1 })
      : latest
  }
  if (returnStatus === 'failed') return before === 'failed' ? latest : closed(latest, reported, at)
  const amount = latest.status === 'open' ? larger(latest.amount, positive(reported.amount)) : latest.amount
  return returnStatus === before && amount === latest.amount ? latest : { ...latest, returnStatus, amount }
}

/** A sum of nothing is none. */
const positive = (amount: bigint | null): bigint | null => (amount !== null && amount > 0n ? amount : null)

const larger = (a: bigint | null, b: bigint | null): bigint | null => {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

const isUndone = (
  latest: UnexpectedMoney | undefined,
  next: UnexpectedMoney,
): next is UnexpectedMoney & { amount: bigint } =>
  latest?.status === 'accepted' && next.status === 'dismissed' && next.amount !== null
