import { z } from 'zod'
import type { KeptDifference } from '../ledger/difference.sql.ts'
import type { Verification } from './verification.sql.ts'

const count = z.int().min(0)

const differenceView = z
  .strictObject({
    kind: z.string().meta({ description: 'What contradicts what', example: 'entry_does_not_follow' }),
    facts: z.record(z.string(), z.string().nullable()).meta({
      description:
        'Whose it is and what was compared: `tenant_id`, `mode`, `payment_id` and others, by kind. Sums are in cents.',
    }),
    found_at: z.iso.datetime(),
    last_found_at: z.iso.datetime(),
  })
  .meta({ id: 'LedgerDifference' })

export const ledgerVerificationView = z
  .strictObject({
    last: z
      .strictObject({
        day: z.iso.date().meta({ description: 'Of Asia/Jakarta' }),
        started_at: z.iso.datetime(),
        ended_at: z.iso.datetime().nullable().meta({ description: 'null: it is under way' }),
        balances: count,
        entries: count,
        payments: count,
        orders_not_checked: count.meta({
          description:
            'Payments that were not compared with the order of their merchant: a newer release created them. They are no differences.',
        }),
        differences: count,
      })
      .nullable()
      .meta({ description: 'Of the whole ledger; null before the first one' }),
    differences: z.array(differenceView).meta({
      description: 'The first hundred. One stays until a verification of the whole ledger finds it no more.',
    }),
  })
  .meta({ id: 'LedgerVerification' })

export const viewVerification = (
  last: Verification | undefined,
  differences: KeptDifference[],
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
