// Verifies that the Partners were credited exactly the margins that were taken from their Clients' books. Each batch of
// margins spans several books: it moves margins into the accounts `adjustment` of the Clients' books, and moves the same
// sum from `adjustment` to `merchant` in the Partner's book. A batch that only offsets margins moves zero in total.
//
// Only these batches post entries without a payment. Therefore, every other entry without a payment is money that was
// created or lost.

import type { Db } from '../db/db.ts'
import type { MarginDifference } from '../ledger/ledger-difference.ts'
import { listMarginParts, listMarginReferences, type MarginPart } from './margin-batches.sql.ts'

/** The number of batches per page. A batch can have 200 transfers. */
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
    // A batch that was committed between two reads seems incomplete, so only a difference that is read twice counts.
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
