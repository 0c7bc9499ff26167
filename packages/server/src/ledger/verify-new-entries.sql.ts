import type { Tx } from '../db/db.ts'
import { groupsByShard, shardedStatement } from '../db/distributed-database.ts'
import type { Mode } from '../values/mode.ts'
import { accountIdOf, fixedAccountIds } from './account.ts'
import type { LedgerDifference } from './ledger-difference.ts'

/** A range of consecutive ledger entries of one balance, including both the first and the last entry. */
export type PostedRange = { tenantId: string; mode: Mode; fromVersion: bigint; toVersion: bigint }

// SQL that applies the rules of verification/verify-ledger.ts to new entries only.
const findBroken = shardedStatement<{ difference: LedgerDifference }>(
  only => `with range as (
     select * from unnest(:tenantIds::uuid[], :modes::text[], :fromVersions::bigint[], :toVersions::bigint[])
       as range (tenant_id, mode, from_version, to_version)
   ), posted as (
     select e.*, coalesce(before.balance_after, 0)
                   + case e.entry_type when 'credit' then e.amount else -e.amount end as expected
     from range
     join ledger_entries e on e.tenant_id = range.tenant_id and e.mode = range.mode
       and e.version between range.from_version and range.to_version ${only('e.tenant_id')}
     left join ledger_entries before
       on before.tenant_id = e.tenant_id and before.mode = e.mode and before.version = e.version - 1
         ${only('before.tenant_id')}
   )
   select jsonb_build_object('kind', 'entry_does_not_follow', 'tenant_id', tenant_id, 'mode', mode,
            'version', version::text, 'entry_id', id, 'expected', expected::text, 'found', balance_after::text)
          as difference
   from posted where balance_after <> expected
   union all
   select jsonb_build_object('kind', case when p.id is null then 'entry_without_payment' else 'entry_without_money' end,
            'tenant_id', e.tenant_id, 'mode', e.mode, 'version', e.version::text, 'entry_id', e.id,
            'payment_id', e.payment_id)
   from posted e
   left join payments p on p.tenant_id = e.tenant_id and p.id = e.payment_id and p.mode = e.mode ${only('p.tenant_id')}
   left join unexpected_money m
     on m.id = e.unexpected_money_id and m.tenant_id = e.tenant_id and m.payment_id = e.payment_id and m.mode = e.mode
       and (e.entry_type = 'debit' or m.kind <> 'reversal')
   where e.payment_id is not null and p.id is null
      or m.id is null and (e.unexpected_money_id is not null
                           or e.entry_type = 'debit' and e.refund_id is null and e.payment_id is not null
                              and e.counter_account is distinct from '${accountIdOf('fee:operator')}')
   union all
   select jsonb_build_object('kind', case when p.status = 'paid' then 'credit_differs' else 'credit_without_paid' end,
            'tenant_id', e.tenant_id, 'mode', e.mode, 'payment_id', p.id, 'payment_code', p.payment_code,
            'found', e.amount::text)
            || case when p.status = 'paid' then jsonb_build_object('expected', p.amount_paid::text)
               else jsonb_build_object('status', p.status) end
   from posted e
   join payments p on p.tenant_id = e.tenant_id and p.id = e.payment_id ${only('p.tenant_id')}
   where e.entry_type = 'credit' and e.unexpected_money_id is null and e.refund_id is null
     and not coalesce(e.counter_account = any(:fixed::uuid[]), false)
     and (p.status <> 'paid' or p.amount_paid is distinct from e.amount or p.mode <> e.mode)
   union all
   select jsonb_build_object('kind', 'balance_differs', 'tenant_id', b.tenant_id, 'mode', b.mode,
            'expected', e.balance_after::text, 'found', b.balance::text)
   from range
   join balances b on b.tenant_id = range.tenant_id and b.mode = range.mode and b.version = range.to_version ${only('b.tenant_id')}
   join posted e on e.tenant_id = b.tenant_id and e.mode = b.mode and e.version = b.version
   where b.balance <> e.balance_after`,
)

/**
 * Finds new entries that break a ledger rule, such as those with a wrong balance. The cost depends on the number of
 * new entries, not on the size of the ledger.
 */
export async function findBrokenEntries(tx: Tx, ranges: readonly PostedRange[]): Promise<LedgerDifference[]> {
  if (ranges.length === 0) return []
  const differences: LedgerDifference[] = []
  for (const group of groupsByShard(tx, [...ranges], range => range.tenantId)) {
    const tenantIds = group.map(range => range.tenantId)
    const rows = await findBroken(tx, tenantIds, {
      tenantIds,
      modes: group.map(range => range.mode),
      fromVersions: group.map(range => range.fromVersion),
      toVersions: group.map(range => range.toVersion),
      fixed: [...fixedAccountIds],
    })
    differences.push(...rows.map(({ difference }) => difference))
  }
  return differences
}
