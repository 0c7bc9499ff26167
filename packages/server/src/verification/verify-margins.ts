// Verifies that the Partners were credited exactly the margins that were taken from their Clients. Margins are moved in
// batches, each of which changes several books (tenants' ledgers):
//
// - In the Clients' books, a batch moves margins into the account `adjustment`.
// - In the Partner's book, the batch moves the same sum from `adjustment` to `merchant`.
//
// If the margins of a batch cancel each other out, the batch moves zero in total.
//
// Only the batches that credit Partners with their margins post ledger entries without a payment. Any other entry
// without a payment therefore means that money was created or lost.

import type { Db } from '../db/db.ts'
import type { MarginDifference } from '../ledger/ledger-difference.ts'
import { listMarginParts, listMarginReferences, type MarginPart } from './margin-batches.sql.ts'

/** How many batches of margin transfers are read and verified at a time. Each batch can have 200 transfers. */
const BATCHES_PAGE = 500

/** Calls `onPage` after each page, and waits for it before reading the next one. */
export async function verifyMargins(
  db: Db,
  report: (difference: MarginDifference) => void,
  onPage: () => void | Promise<void>,
): Promise<void> {
  for (let after = ''; ; ) {
    const references = await listMarginReferences(db, after, BATCHES_PAGE)
    const last = references.at(-1)
    if (last === undefined) return
    let found = differencesOf(await listMarginParts(db, { after, last }))
    // A batch of margins that is committed between two reads seems incomplete. A difference is therefore reported only
    // if a second read shows it again.
    if (found.length > 0) {
      const again = new Set(differencesOf(await listMarginParts(db, { after, last })).map(textOf))
      found = found.filter(each => again.has(textOf(each)))
    }
    for (const each of found) report(each)
    await onPage()
    after = last
  }
}

const textOf = (difference: MarginDifference): string => JSON.stringify(difference)

function differencesOf(parts: MarginPart[]): MarginDifference[] {
  return [...Map.groupBy(parts, ({ reference, mode }) => `${mode} ${reference}`).values()].flatMap(batch => {
    const credited = batch.reduce((sum, part) => sum + part.credited, 0n)
    const moved = batch.reduce((sum, part) => sum + part.moved, 0n)
    const [first] = batch as [MarginPart]
    const entry = batch.find(({ entryId }) => entryId !== null)
    return credited === moved
      ? []
      : [
          {
            ...{ kind: 'margin_differs', mode: first.mode, reference_id: first.reference },
            ...{ tenant_id: entry?.tenantId ?? null, entry_id: entry?.entryId ?? null },
            ...{ expected: moved.toString(), found: credited.toString() },
          },
        ]
  })
}
