import type { Tx } from '../db/db.ts'
import { joined } from '../db/joined.ts'
import { statement } from '../db/statement.ts'
import { newId } from '../id.ts'
import type { RoutingRule } from './route.ts'

const columns = `position, method_type as "methodType", channel, min_amount as "minAmount", max_amount as "maxAmount",
  provider_account_id as "providerAccountId", weight`

/** id: of the row, which ends with the next replacement of the rules. */
export type RoutingRuleRow = RoutingRule & { id: string }

const select = statement<RoutingRuleRow & { tenantId: string }>(
  `select r.tenant_id as "tenantId", r.id, ${columns}
   from unnest(:tenantIds::uuid[]) as given (tenant_id)
   join routing_rules r on r.tenant_id = given.tenant_id
   order by r.position, r.id`,
)

/** A tenant's, in the order in which they apply, and among equals in the order in which they were given. */
export const listRules = joined(
  'list_routing_rules',
  async (db, tenantIds: string[]): Promise<RoutingRuleRow[][]> => {
    const rows = await select(db, { tenantIds: [...new Set(tenantIds)] })
    const ofTenant = Map.groupBy(rows, row => row.tenantId)
    return tenantIds.map(id => (ofTenant.get(id) ?? []).map(({ tenantId: _, ...rule }) => rule))
  },
)

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
