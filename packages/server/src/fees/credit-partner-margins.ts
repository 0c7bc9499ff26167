// Credits Partners with their margins. A margin is the price that a Client pays minus the Partner's cost. In one
// transaction, the margins of a batch of Clients are debited in their books (their ledgers), and the sum is
// credited as one entry in the Partner's ledger. A crash therefore never loses a margin or credits a margin
// twice.

import type { Db, Tx } from '../db/db.ts'
import { postTransfers } from '../ledger/ledger.sql.ts'
import { type Movement, type Transfer, transfer } from '../ledger/transfer.ts'
import { newId } from '../values/id.ts'
import type { Cents } from '../values/money.ts'
import type { Clock } from '../values/time.ts'
import { listPartnersWithMargins, lockMargins, type PartnerMode } from './partner-margin.sql.ts'

/**
 * The maximum number of Clients in a batch. It is kept low because payments for these Clients wait until the batch
 * commits.
 */
const CLIENTS_AT_ONCE = 200

export async function creditPartnerMargins({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  for (const each of await listPartnersWithMargins(db)) {
    let credited: number
    do credited = await db.transaction(tx => creditBatch(tx, each, clock()))
    while (credited === CLIENTS_AT_ONCE)
  }
}

/**
 * Credits the Partner with the margins for one batch of Clients. Returns the number of Clients whose margins were
 * credited.
 */
async function creditBatch(tx: Tx, { partnerId, mode }: PartnerMode, at: Date): Promise<number> {
  const margins = await lockMargins(tx, { partnerId, mode }, CLIENTS_AT_ONCE)
  const sum = margins.reduce((total, { margin }) => total + margin, 0n)
  // The sum of a Partner's margins can be negative, because refunds return fees. A negative sum is not
  // debited now, but is offset against later margins.
  if (sum <= 0n) return 0
  const batchId = newId()
  const of = (tenantId: string, moved: Movement, reason: string): Transfer => ({
    ...{ ...moved, tenantId, mode, paymentId: null, unexpectedMoneyId: null, referenceId: batchId, reason },
  })
  const taken = margins.map(({ tenantId, margin }) =>
    of(tenantId, takenFrom(margin), `margin credited to partner ${partnerId}`),
  )
  const clients = `${margins.length} client${margins.length === 1 ? '' : 's'}`
  const credit = of(partnerId, transfer('adjustment', 'merchant', sum), `margin of the fees of ${clients}`)
  await postTransfers(tx, [credit, ...taken], at)
  return margins.length
}

const takenFrom = (margin: Cents): Movement =>
  margin > 0n ? transfer('fee:partner', 'adjustment', margin) : transfer('adjustment', 'fee:partner', -margin)
