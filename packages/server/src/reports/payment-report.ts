// The payment report. For each group of payments, it shows the number of payments, their total amount, and the total
// amount paid.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { rule } from '../faults/rule.ts'
import { methodTypes } from '../payments/method.ts'
import { shownStatuses } from '../payments/payment.ts'
import { day } from '../values/day.ts'
import { modes } from '../values/mode.ts'
import { noNextCursor } from '../values/no-next-cursor.ts'

export const groups = ['day', 'status', 'method_type', 'provider', 'tenant', 'mode'] as const
export type Group = (typeof groups)[number]

/**
 * The columns each grouping adds to the report's rows. For example, the grouping `tenant` adds the tenant's id and
 * name.
 */
export const columnsOfGroup: Record<Group, readonly string[]> = {
  day: ['day'],
  status: ['status'],
  method_type: ['method_type'],
  provider: ['provider'],
  tenant: ['tenant', 'tenant_name'],
  mode: ['mode'],
}

const isGroup = (name: string): name is Group => (groups as readonly string[]).includes(name)

/**
 * Parses a query value such as `day,status` into the groups of a report. Removes repeated groups. The groups
 * keep their order, which is also the order of the report's columns.
 */
export const groupList = z
  .string()
  .transform(names => [...new Set(names.split(',').map(name => name.trim()))].filter(name => name !== ''))
  .refine(names => names.every(isGroup), rule('groups_unknown', { values: [...groups] }))
  .transform(names => names.filter(isGroup))

export const amounts = ['amount', 'amount_paid', 'amount_refunded', 'amount_reversed'] as const

/** The columns of the report as a file. The column `is_capped` exists only if it is set in any row. */
export function reportSheet(grouping: readonly Group[], { items }: z.output<typeof reportView>) {
  const capped = items.some(({ is_capped }) => is_capped) ? ['is_capped'] : []
  return {
    columns: [...grouping.flatMap(group => columnsOfGroup[group]), 'count', ...amounts, ...capped],
    money: [...amounts],
  }
}

const cents = (description: string) => z.int().min(0).meta({ description, example: 10_000_000 })

export const reportView = z
  .strictObject({
    items: z.array(
      z.strictObject({
        day: day.optional().meta({ description: 'Day in Asia/Jakarta' }),
        status: z.enum(shownStatuses).optional(),
        method_type: z.enum(methodTypes).optional(),
        provider: z.string().optional(),
        tenant: z.uuid().optional(),
        tenant_name: z.string().optional(),
        mode: z.enum(modes).optional(),
        count: z.int().min(0),
        amount: cents('Total amount of the payments, including unpaid payments, in cents'),
        amount_paid: cents('Total amount received, in cents'),
        amount_refunded: cents('Part of `amount_paid` that was refunded to payers, in cents'),
        amount_reversed: cents(
          'Part of `amount_paid` that reversals by providers or chargebacks later took back, in cents',
        ),
        is_capped: z.literal(true).optional().meta({
          description:
            'Present if a total exceeds 9,007,199,254,740,991 cents (about Rp 90 trillion), the largest integer that is exact in JSON. The total is then shown as this maximum',
        }),
      }),
    ),
    next_cursor: noNextCursor,
  })
  .meta({ id: 'PaymentReport', description: 'Numbers and total amounts of payments, in cents' })

/** The maximum number of rows in a report. A request that would return more rows is rejected. */
export const MAX_ROWS = 10_000
export const MAX_DAYS = 366

/**
 * Converts a sum, which the database returns as text, to a number. Throws an error if a JSON number cannot represent
 * the sum exactly; the caller must then request a shorter period.
 */
export function toSafeNumber(text: string): number {
  const sum = Number(text)
  if (!Number.isSafeInteger(sum)) throw fault('period_sum_too_large', {}, { field: 'from' })
  return sum
}
