import { z } from 'zod'
import type { StoredLedgerDifference } from '../ledger/ledger-difference.sql.ts'
import type { LedgerVerification } from './verification.sql.ts'

const count = z.int().min(0)

const differenceView = z
  .strictObject({
    kind: z.string().meta({
      description:
        'Kind of the ledger difference, such as `order_differs`. The guide "Verifying the ledger" explains each kind',
      example: 'entry_does_not_follow',
    }),
    facts: z.record(z.string(), z.string().nullable()).meta({
      description:
        'Details of the ledger difference, such as `tenant_id`, `mode` and `payment_id`. The fields depend on `kind`. Amounts are in cents.',
    }),
    found_at: z.iso.datetime(),
    last_found_at: z.iso.datetime(),
  })
  .meta({ id: 'LedgerDifference' })

export const ledgerVerificationView = z
  .strictObject({
    last: z
      .strictObject({
        day: z.iso.date().meta({ description: 'Day in Asia/Jakarta' }),
        started_at: z.iso.datetime(),
        ended_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'Time when the ledger verification ended; null while it is in progress' }),
        balances: count,
        entries: count,
        payments: count,
        orders_not_checked: count.meta({
          description:
            "Number of payments that were not compared with the merchant's order. For these payments, a newer release of the service stored the order's hash in a format that this release does not know. These payments do not count as differences",
        }),
        differences: count,
      })
      .nullable()
      .meta({
        description: 'The last verification of the whole ledger; null if the ledger has never been verified',
      }),
    differences: z.array(differenceView).meta({
      description:
        'Differences that ledger verification found, up to 100. A difference stays in the list until a verification of the whole ledger no longer finds it',
    }),
  })
  .meta({ id: 'LedgerVerification', description: 'The result of the last verification of the ledger' })

export const viewVerification = (
  last: LedgerVerification | undefined,
  differences: StoredLedgerDifference[],
): z.output<typeof ledgerVerificationView> => ({
  last: last
    ? {
        day: last.day,
        started_at: last.startedAt.toISOString(),
        ended_at: last.endedAt?.toISOString() ?? null,
        balances: last.balances,
        entries: last.entries,
        payments: last.payments,
        orders_not_checked: last.ordersNotChecked,
        differences: last.differences,
      }
    : null,
  differences: differences.map(({ difference: { kind, ...facts }, foundAt, lastFoundAt }) => ({
    kind,
    facts,
    found_at: foundAt.toISOString(),
    last_found_at: lastFoundAt.toISOString(),
  })),
})
