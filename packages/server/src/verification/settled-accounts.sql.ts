import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Mode } from '../values/mode.ts'

/**
 * The amount that a provider account settled on a day, and the amount in our ledger for the same payments, in
 * cents.
 */
export type SettledDay = {
  id: string
  providerAccountId: string
  date: string
  mode: Mode
  /**
   * The total that settlements list as paid for the payments in this settlement. If a payment is in several of the
   * account's settlements, all of them count.
   */
  settled: bigint
  /**
   * The total that the provider account's ledger entries credit for the payments, plus the money received for these
   * payments that awaits the Owner's decision.
   */
  posted: bigint
}

/**
 * Lists uploaded settlements whose amounts differ from our ledgers. A payment can be in the settlements of
 * several days, for example because it was paid twice. In this case, the amounts from all of these
 * settlements count.
 */
export async function listUnequalSettlements(
  db: Db,
  after: SettledDay | undefined,
  limit: number,
): Promise<SettledDay[]> {
  if (isDistributed(db)) return listUnequalOnShards(db, after, limit)
  const { rows } = await db.raw<{ rows: SettledDay[] }>(
    `select * from (
       select s.id, s.provider_account_id as "providerAccountId", to_char(s.date, 'YYYY-MM-DD') as date, a.mode,
              coalesce(sum(settled.amount), 0)::bigint as settled,
              coalesce(sum(credited.amount + waiting.amount), 0)::bigint as posted
       from settlements s
       join provider_accounts a on a.id = s.provider_account_id
       cross join lateral (
         select distinct l.tenant_id, l.payment_id from settlement_lines l
         where l.settlement_id = s.id and l.status = 'paid' and l.payment_id is not null
       ) paid
       cross join lateral (
         select sum(l.amount) as amount
         from settlement_lines l join settlements other on other.id = l.settlement_id
         where l.tenant_id = paid.tenant_id and l.payment_id = paid.payment_id and l.status = 'paid'
           and other.provider_account_id = s.provider_account_id
       ) settled
       cross join lateral (
         select coalesce(sum(e.amount), 0) as amount
         from ledger_entries e left join unexpected_money m on m.id = e.unexpected_money_id
         where e.tenant_id = paid.tenant_id and e.payment_id = paid.payment_id and e.entry_type = 'credit'
           and e.counter_account = s.provider_account_id and m.return_status is null and e.refund_id is null
       ) credited
       cross join lateral (
         select coalesce(sum(m.amount), 0) as amount from unexpected_money m
         where m.tenant_id = paid.tenant_id and m.payment_id = paid.payment_id
           and m.provider_account_id = s.provider_account_id and m.return_status is null
           and m.kind not in ('reversal', 'unconfirmed') and not m.credited
       ) waiting
       where :afterId::uuid is null or s.id > :afterId
       group by s.id, a.mode
     ) day
     where settled <> posted order by id limit :limit`,
    { afterId: after?.id ?? null, limit },
  )
  return rows
}

/**
 * The payments of one tenant that a settlement lists as paid, and the total that the provider account settled for
 * them.
 */
type SettledOfTenant = { tenantId: string; paymentIds: string[]; settled: bigint }

const listSettled = preparedStatement<SettledOfTenant>(
  `select paid.tenant_id as "tenantId", array_agg(paid.payment_id) as "paymentIds", sum(settled.amount)::bigint as settled
   from (
     select distinct l.tenant_id, l.payment_id from settlement_lines l
     where l.settlement_id = :id and l.status = 'paid' and l.payment_id is not null
   ) paid
   cross join lateral (
     select sum(l.amount) as amount
     from settlement_lines l join settlements other on other.id = l.settlement_id
     where l.tenant_id = paid.tenant_id and l.payment_id = paid.payment_id and l.status = 'paid'
       and other.provider_account_id = :accountId
   ) settled
   group by paid.tenant_id`,
)

const sumPosted = preparedStatement<{ posted: bigint }>(
  `select (
     (select coalesce(sum(e.amount), 0)
      from ledger_entries e left join unexpected_money m on m.id = e.unexpected_money_id
      where e.tenant_id = :tenantId and e.payment_id = any(:paymentIds::uuid[]) and e.entry_type = 'credit'
        and e.counter_account = :accountId and m.return_status is null and e.refund_id is null)
     + (select coalesce(sum(m.amount), 0) from unexpected_money m
        where m.tenant_id = :tenantId and m.payment_id = any(:paymentIds::uuid[])
          and m.provider_account_id = :accountId and m.return_status is null
          and m.kind not in ('reversal', 'unconfirmed') and not m.credited)
   )::bigint as posted`,
)

/**
 * Lists the settlements that differ from the ledgers, on a distributed database. Only the coordinator stores
 * settlements, so the ledgers' amounts are read tenant by tenant.
 */
async function listUnequalOnShards(
  db: Db,
  after: SettledDay | undefined,
  limit: number,
): Promise<SettledDay[]> {
  const { rows: days } = await db.raw<{ rows: Omit<SettledDay, 'settled' | 'posted'>[] }>(
    `select s.id, s.provider_account_id as "providerAccountId", to_char(s.date, 'YYYY-MM-DD') as date, a.mode
     from settlements s join provider_accounts a on a.id = s.provider_account_id
     where :afterId::uuid is null or s.id > :afterId order by s.id`,
    { afterId: after?.id ?? null },
  )
  const unequal: SettledDay[] = []
  for (const day of days) {
    const accountId = day.providerAccountId
    let [settled, posted] = [0n, 0n]
    for (const { settled: amount, ...ofTenant } of await listSettled(db, { id: day.id, accountId })) {
      settled += amount
      posted += (await sumPosted(db, { ...ofTenant, accountId }))[0]?.posted ?? 0n
    }
    if (settled !== posted && unequal.push({ ...day, settled, posted }) === limit) break
  }
  return unequal
}
