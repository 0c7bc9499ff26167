// Credits Partners with their margins. A margin is the price that a Client pays minus the Partner's cost. One
// transaction debits the margins of a batch of Clients from their ledgers, and credits the sum to the Partner. A crash
// therefore never loses a margin or credits it twice.

import type { Db, Tx } from '../db/db.ts'
import { findBalance, postTransfers } from '../ledger/ledger.sql.ts'
import { type Movement, type Transfer, transfer } from '../ledger/transfer.ts'
import { newId } from '../values/id.ts'
import { type Cents, MAX_SUM } from '../values/money.ts'
import type { Clock } from '../values/time.ts'
import {
  type ClientMargin,
  listPartnersWithMargins,
  lockMargins,
  type PartnerMode,
} from './partner-margin.sql.ts'

/**
 * A batch contains at most this many Clients with a positive margin, and at most this many with a negative margin. The
 * number is low, because payments for these Clients wait until the batch commits.
 */
const CLIENTS_AT_ONCE = 100

/**
 * Credits the margins of all Partners. If this fails for one Partner, the margins of the other Partners are credited
 * nevertheless, and an AggregateError is thrown at the end.
 */
export async function creditPartnerMargins({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const errors: unknown[] = []
  for (const each of await listPartnersWithMargins(db)) {
    try {
      let hasMore: boolean
      do hasMore = await db.transaction(tx => creditBatch(tx, each, clock))
      while (hasMore)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `crediting margins failed ${errors.length} times`)
}

/**
 * Credits the Partner with the margins of one batch of its Clients. Returns whether there can be more margins to
 * credit.
 *
 * - A margin can be negative, because refunds return fees. Negative margins are offset against positive margins. The
 *   Partner is therefore credited only if the batch contains all remaining negative margins.
 * - A margin that would raise the Partner's balance above its maximum stays in the Client's book.
 */
async function creditBatch(tx: Tx, { partnerId, mode }: PartnerMode, clock: Clock): Promise<boolean> {
  const margins = await lockMargins(tx, { partnerId, mode }, CLIENTS_AT_ONCE)
  // Reads the time only after acquiring the locks, because a new month may begin while the transaction waits for them.
  // With an earlier time, a margin of the new month could be credited in the previous month.
  const at = clock()
  const negative = margins.filter(({ margin }) => margin < 0n)
  const positive = margins.filter(({ margin }) => margin > 0n)
  const owed = -sumOf(negative)
  const earned = sumOf(positive)
  const isCovered = earned >= owed
  const offset = isCovered ? owed : earned
  const room = MAX_SUM - (await findBalance(tx, partnerId, mode))
  const credit = negative.length < CLIENTS_AT_ONCE ? least(earned - offset, room) : 0n
  const taken = [...upTo(offset + credit, positive), ...upTo(offset, negative)]
  if (taken.length === 0) return false
  const batch = { mode, paymentId: null, unexpectedMoneyId: null, referenceId: newId() }
  const transfers: Transfer[] = taken.map(({ tenantId, margin }) => ({
    ...takenFrom(margin),
    ...{ ...batch, tenantId },
    reason: `margin ${credit > 0n ? 'credited to' : 'offset for'} partner ${partnerId}`,
  }))
  if (credit > 0n)
    transfers.push({
      ...transfer('adjustment', 'merchant', credit),
      ...{ ...batch, tenantId: partnerId },
      reason: `margin of the fees of ${taken.length} client${taken.length === 1 ? '' : 's'}`,
    })
  await postTransfers(tx, transfers, at)
  return margins.length >= CLIENTS_AT_ONCE
}

const least = (one: Cents, other: Cents): Cents => (one < other ? one : other)

const sumOf = (margins: ClientMargin[]): Cents => margins.reduce((total, { margin }) => total + margin, 0n)

/**
 * Takes margins up to a total of `amount` cents. All given margins have the same sign. If a margin is larger
 * than the rest of `amount`, only a part of it is taken.
 */
function upTo(amount: Cents, margins: ClientMargin[]): ClientMargin[] {
  let left = amount
  return margins.flatMap(({ tenantId, margin }) => {
    const taken = least(margin < 0n ? -margin : margin, left)
    left -= taken
    return taken === 0n ? [] : { tenantId, margin: margin < 0n ? -taken : taken }
  })
}

const takenFrom = (margin: Cents): Movement =>
  margin > 0n ? transfer('fee:partner', 'adjustment', margin) : transfer('adjustment', 'fee:partner', -margin)
