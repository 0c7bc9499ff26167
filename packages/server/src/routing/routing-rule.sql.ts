import type { Db, Tx } from '../db/db.ts'
import { newId } from '../id.ts'
import type { RoutingRule } from './route.ts'

const columns = `position, method_type as "methodType", channel, min_amount as "minAmount", max_amount as "maxAmount",
  provider_account_id as "providerAccountId", weight`

/** In the order in which they apply, and among equals in the order in which they were given. */
export async function listRules(db: Db, tenantId: string): Promise<RoutingRule[]> {
  const { rows } = await db.raw<{ rows: RoutingRule[] }>(
    `select ${columns} from routing_rules where tenant_id = ? order by position, id`,
    [tenantId],
  )
  return rows
}

export async function replaceRules(tx: Tx, tenantId: string, rules: RoutingRule[]): Promise<void> {
  await tx.raw('delete from routing_rules where tenant_id = ?', [tenantId])
  await tx.raw(
    `insert into routing_rules (
       tenant_id, id, position, method_type, channel, min_amount, max_amount, provider_account_id, weight)
     select :tenantId, r.id, r.position, r."methodType", r.channel, r."minAmount", r."maxAmount", r."providerAccountId", r.weight
     from jsonb_to_recordset(:rules) as r (
       id uuid, position integer, "methodType" text, channel text, "minAmount" bigint, "maxAmount" bigint,
       "providerAccountId" uuid, weight integer)`,
    {
      tenantId,
      rules: JSON.stringify(
        rules.map(rule => ({ ...rule, id: newId() })),
        bigintAsText,
      ),
    },
  )
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
