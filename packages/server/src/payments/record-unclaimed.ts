// Money, and returns of money, under references that lead to no payment: kept for the Owner, who assigns them.

import type { Tx } from '../db/db.ts'
import type { Mode } from '../mode.ts'
import type { ProviderReport } from '../providers/provider.ts'
import { grown, onRecord } from './plan-event.ts'
import { planReturns } from './plan-returns.ts'
import {
  insertUnexpectedMoney,
  lockRecordsOfReferences,
  updateUnexpectedMoney,
} from './unexpected-money.sql.ts'
import { isReturn, newRecord, type UnexpectedMoney } from './unexpected-money.ts'

export type Unclaimed = {
  provider: string
  providerAccountId: string
  mode: Mode
  report: ProviderReport
}

/** Whether the report is about money at all. */
export const isAboutMoney = ({ fact, returns = [] }: Pick<ProviderReport, 'fact' | 'returns'>): boolean =>
  fact.type === 'paid' || returns.length > 0

/** Each receipt and each return once, however often it is reported; of a receipt that grows, the difference. */
export async function recordUnclaimed(tx: Tx, unclaimed: Unclaimed[], at: Date): Promise<void> {
  const known = await lockRecordsOfReferences(
    tx,
    unclaimed.map(({ providerAccountId, report }) => ({ providerAccountId, reference: report.reference })),
  )
  const knownIds = new Set(known.map(({ id }) => id))
  const records = new Map(known.map(record => [record.id, record]))
  const changed = new Set<string>()
  const put = (each: UnexpectedMoney) => {
    records.set(each.id, each)
    changed.add(each.id)
  }
  for (const { report, ...account } of unclaimed) {
    const { reference, fact, returns = [] } = report
    const own = [...records.values()].filter(
      record => record.providerAccountId === account.providerAccountId && record.reference === reference,
    )
    if (fact.type === 'paid') {
      const receipt = fact.receipt ?? ''
      const fields = { receipt, amount: null, credited: false, paidAt: fact.paidAt ?? at }
      const ofReceipt = onRecord(
        own.filter(record => record.receipt === receipt && !isReturn(record)),
        0n,
      )
      const open = () => newRecord({ ...account, kind: 'unknown_reference', reference, ...fields }, at)
      if (fact.amountPaid > ofReceipt.covered) put(grown(ofReceipt, fact.amountPaid, open))
    }
    const open: Parameters<typeof planReturns>[2] = fields =>
      newRecord({ ...account, reference, credited: false, paidAt: at, ...fields }, at)
    for (const record of planReturns({ reference, returns }, own, open, at).records) put(record)
  }
  const all = [...changed].flatMap(id => records.get(id) ?? [])
  const [updated, inserted] = [
    all.filter(({ id }) => knownIds.has(id)),
    all.filter(({ id }) => !knownIds.has(id)),
  ]
  if (inserted.length > 0) await insertUnexpectedMoney(tx, inserted)
  if (updated.length > 0) await updateUnexpectedMoney(tx, updated)
}
