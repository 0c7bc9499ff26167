import type { Db } from '../db/db.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { Period } from '../values/day.ts'
import type { Mode } from '../values/mode.ts'

/** A Partner's margins from one Client, method and channel in a period. Amounts are in cents, as text. */
export type MarginRow = {
  tenantId: string
  methodType: string
  channel: string
  count: number
  net: string
  tax: string
}

/**
 * A Partner's margins in a period, and sums from the ledger for comparison. Amounts are in cents, as text.
 *
 * - `held`: the sum of the margins that are still in the Clients' ledgers
 * - `earnedSince`: the sum of the margins earned after the period
 * - `credits` and `credited`: the number and the sum of the credits to the Partner in the period
 * - `creditedSince`: the sum of the credits after the period
 */
export type MarginBooks = {
  margins: MarginRow[]
  held: string
  earnedSince: string
  credits: bigint
  credited: string
  creditedSince: string
}

export async function listClientNames(db: Db, partnerId: string): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
    'select id, name from tenants where parent_id = ?',
    [partnerId],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Reads all sums in one SQL statement, so that they match even if payments or margins are credited meanwhile. The
 * Clients' names need a separate query, because a distributed database stores the tenants on another node.
 */
export async function sumMarginBooks(
  db: Db,
  { partnerId, clientIds, mode }: { partnerId: string; clientIds: string[]; mode: Mode },
  { from, before }: Period,
  limit: number,
): Promise<MarginBooks> {
  const { rows } = await db.raw<{ rows: [MarginBooks] }>(
    `with margins as materialized (
       select f.tenant_id, f.method_type, f.channel, count(*) filter (where f.number = 0) as count,
              sum(f.net - f.operator_net)::text as net, sum(f.tax - f.operator_tax)::text as tax
       from fee_charges f
       where f.tenant_id = any(:clientIds::uuid[]) and f.mode = :mode
         and f.charged_at >= :from and f.charged_at < :before
         -- Excludes payments for which the merchant paid only the operator's fee.
         and (f.net <> f.operator_net or f.tax <> f.operator_tax)
       group by f.tenant_id, f.method_type, f.channel limit :limit
     ), held as materialized (
       select coalesce(sum(a.balance), 0)::text as held from book_accounts a
       where a.tenant_id = any(:clientIds::uuid[]) and a.mode = :mode
         and a.account_id = '${accountIdOf('fee:partner')}'
     ), earned as materialized (
       select coalesce(sum(f.net + f.tax - f.operator_net - f.operator_tax), 0)::text as since from fee_charges f
       where f.tenant_id = any(:clientIds::uuid[]) and f.mode = :mode and f.charged_at >= :before
     ), entries as materialized (
       select count(*) filter (where e.created_at < :before) as credits,
              coalesce(sum(e.amount) filter (where e.created_at < :before), 0)::text as credited,
              coalesce(sum(e.amount) filter (where e.created_at >= :before), 0)::text as since
       from ledger_entries e
       where e.tenant_id = :partnerId and e.mode = :mode and e.created_at >= :from and e.payment_id is null
         and e.entry_type = 'credit' and e.counter_account = '${accountIdOf('adjustment')}'
     )
     select (
              select coalesce(json_agg(json_build_object(
                       'tenantId', m.tenant_id, 'methodType', m.method_type, 'channel', m.channel, 'count', m.count,
                       'net', m.net, 'tax', m.tax)), '[]')
              from margins m
            ) as margins,
            held.held, earned.since as "earnedSince", entries.credits, entries.credited, entries.since as "creditedSince"
     from held, earned, entries`,
    { partnerId, clientIds, mode, from, before, limit },
  )
  return rows[0]
}
