// Claims refunds whose next refund request or status inquiry is due. Each provider account has a limited number of slots,
// so that a slow provider does not delay the refunds of other accounts.

import type { Db } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import { queryShards } from '../../db/shard-query.ts'
import { refundColumns } from '../record/refund.sql.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { chooseInTurns, type DueRefund } from './refund-turns.ts'

/**
 * Limits for one call to `claimDueRefunds`. Each refund request or inquiry in flight takes one slot.
 *
 * - freeSlots: the maximum number of refunds to claim, across all accounts.
 * - slotsOfAccounts: the free slots of each listed provider account.
 * - slotsOfOtherAccounts: the free slots of every other account.
 */
type ClaimLimits = {
  freeSlots: number
  slotsOfAccounts: { accountId: string; room: number }[]
  slotsOfOtherAccounts: number
}

/**
 * SQL that selects the due refunds that the merchant or the operator requested. `place` is a refund's position among
 * the due refunds of its account, earliest first. Refunds to request and refunds to inquire about have separate
 * positions. Accounts take turns, so each account's first refund comes before any account's second refund. A refund
 * that was not requested from the provider yet needs no inquiry, so the room for inquiries does not limit it.
 */
const dueRefunds = `
  select * from (
    select tenant_id, r.id, provider_account_id, next_check_at,
      case when requested_at is null then :roomOfOthers else coalesce(known.room, :roomOfOthers) end as room,
      row_number() over (partition by provider_account_id, requested_at is null order by next_check_at) as place
    from refunds r
    left join unnest(:accounts::uuid[], :rooms::integer[]) as known (id, room) on known.id = provider_account_id
    where next_check_at <= :now and origin in ('merchant', 'operator')
  ) ranked
  where place <= room order by place, next_check_at limit :freeSlots`

const valuesOf = ({ freeSlots, slotsOfAccounts, slotsOfOtherAccounts }: ClaimLimits) => ({
  freeSlots,
  accounts: slotsOfAccounts.map(({ accountId }) => accountId),
  rooms: slotsOfAccounts.map(({ room }) => room),
  roomOfOthers: slotsOfOtherAccounts,
})

/**
 * Claims due refunds until the time `until`, within the limits. The caller then requests each refund from the provider
 * or, if it was already requested, sends an inquiry.
 */
export async function claimDueRefunds(
  db: Db,
  { now, until, ...limits }: ClaimLimits & { now: Date; until: Date },
): Promise<PaymentRefund[]> {
  if (isDistributed(db)) return claimOnShards(db, now, until, limits)
  const { rows } = await db.raw<{ rows: PaymentRefund[] }>(
    `with due as (${dueRefunds}), locked as (
       select r.tenant_id, r.id from refunds r join due on r.tenant_id = due.tenant_id and r.id = due.id
       where r.next_check_at <= :now
       for update of r skip locked
     )
     update refunds r set next_check_at = :until from locked
     where r.tenant_id = locked.tenant_id and r.id = locked.id returning ${refundColumns}`,
    { ...valuesOf(limits), now, until },
  )
  return rows
}

const claimOfTenant = preparedStatement<PaymentRefund>(
  `with due as (
     select id from refunds where tenant_id = :tenantId and id = any(:ids::uuid[]) and next_check_at <= :now
     order by id for update skip locked
   )
   update refunds r set next_check_at = :until from due
   where r.tenant_id = :tenantId and r.id = due.id returning ${refundColumns}`,
)

/**
 * Claims due refunds on a distributed database, one tenant after another. Each shard returns the refunds it would claim
 * if it were the only shard.
 */
async function claimOnShards(db: Db, now: Date, until: Date, limits: ClaimLimits): Promise<PaymentRefund[]> {
  const due = await queryShards<DueRefund>(
    db,
    'refunds',
    `select tenant_id as "tenantId", id, provider_account_id as "accountId", room,
            extract(epoch from next_check_at) * 1000 as "atMs"
     from (${dueRefunds}) due`,
    { ...valuesOf(limits), now },
  )
  const refunds: PaymentRefund[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(chooseInTurns(due, limits.freeSlots), each => each.tenantId))
    refunds.push(...(await claimOfTenant(db, { tenantId, ids: ofTenant.map(({ id }) => id), now, until })))
  return refunds
}
