// The part of a Partner's monthly statement with its margins. A margin is earned when a Client's payment is credited,
// and reaches the Partner's balance with a later batch. The margins earned in a month therefore differ from the month's
// credits in the Partner's ledger.

import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { inScope } from '../db/tenant-scope.ts'
import { fault } from '../faults/fault.ts'
import { methodTypes } from '../payments/method.ts'
import { MAX_ROWS, toSafeNumber } from '../reports/payment-report.ts'
import type { Period } from '../values/day.ts'
import type { Mode } from '../values/mode.ts'
import { listClientNames, sumMarginBooks } from './partner-statement.sql.ts'

const cents = (description: string, example: number) => z.int().meta({ description, example })
const amounts = {
  count: z.int().min(0).meta({ description: 'Number of payments with a margin', example: 1 }),
  net: cents('Margins before tax (DPP), in cents', 100_000),
  tax: cents('Tax in the margins (PPN), in cents', 11_000),
  total: cents('Margins including tax, in cents', 111_000),
}

export const partnerMarginsView = z
  .strictObject({
    items: z.array(
      z.strictObject({
        tenant_id: z.uuid().meta({ description: 'ID of the Client' }),
        tenant_name: z.string().meta({ example: 'Toko Budi' }),
        method_type: z.enum(methodTypes),
        channel: z.string().meta({ example: 'bca' }),
        ...amounts,
      }),
    ),
    ...amounts,
    uncredited_before: cents(
      'Margins, in cents, that were earned before the month and not yet credited to the Partner when the month began',
      0,
    ),
    credits: z.int().min(0).meta({
      description: 'Number of ledger entries in the month that credited margins to the Partner',
      example: 1,
    }),
    credited: cents(
      "Margins credited to the Partner's ledger in the month, in cents. Equals `uncredited_before` plus `total` minus `uncredited_after`",
      100_000,
    ),
    uncredited_after: cents(
      'Margins, in cents, that were not yet credited to the Partner when the month ended. For the current month: margins that have not been credited yet',
      11_000,
    ),
  })
  .meta({ id: 'PartnerMargins', description: "A Partner's margins from its Clients' fees in one month" })

export type PartnerMargins = z.output<typeof partnerMarginsView>

export async function statePartnerMargins(
  { db }: { db: Db },
  partnerId: string,
  mode: Mode,
  period: Period,
): Promise<PartnerMargins> {
  // The margins are in the books (ledgers) of the Partner's Clients. A request for the Partner's own account sees only
  // the Partner's rows, so these queries run in a scope that includes the Clients.
  const { names, books } = await inScope({ tenants: [], partners: [partnerId] }, async () => {
    const names = await listClientNames(db, partnerId)
    const of = { partnerId, clientIds: [...names.keys()], mode }
    return { names, books: await sumMarginBooks(db, of, period, MAX_ROWS + 1) }
  })
  if (books.margins.length > MAX_ROWS) throw fault('report_too_long', { most: MAX_ROWS }, { field: 'month' })
  const items = books.margins.map(({ tenantId, methodType, channel, ...row }) => {
    const [net, tax] = [toSafeNumber(row.net), toSafeNumber(row.tax)]
    return {
      ...{ tenant_id: tenantId, tenant_name: names.get(tenantId) ?? '' },
      ...{ method_type: methodType as (typeof methodTypes)[number], channel },
      ...{ count: row.count, net, tax, total: net + tax },
    }
  })
  const sum = (of: 'count' | 'net' | 'tax' | 'total') => items.reduce((total, item) => total + item[of], 0)
  const credited = toSafeNumber(books.credited)
  const after = toSafeNumber(
    (BigInt(books.held) - BigInt(books.earnedSince) + BigInt(books.creditedSince)).toString(),
  )
  return {
    items: items.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
    ...{ count: sum('count'), net: sum('net'), tax: sum('tax'), total: sum('total') },
    uncredited_before: after + credited - sum('total'),
    ...{ credits: Number(books.credits), credited, uncredited_after: after },
  }
}

const placeOf = (item: PartnerMargins['items'][number]): string =>
  [item.tenant_name, item.tenant_id, item.method_type, item.channel].join('\0')
