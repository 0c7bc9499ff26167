import { batchedRead } from '../db/batch/batched-read.ts'
import type { Tx } from '../db/db.ts'
import { newId } from '../values/id.ts'
import type { RoutingRule } from './route.ts'

const columns = `position, method_type as "methodType", channel, min_amount as "minAmount", max_amount as "maxAmount",
  provider_account_id as "providerAccountId", weight`

/** A routing rule with its row id. The id changes when the tenant's rules are replaced. */
export type RoutingRuleRow = RoutingRule & { id: string }

/**
 * Lists a tenant's routing rules by position. Rules at the same position are in the same order as in the request that
 * created them.
 */
export const listRulesInBatch = batchedRead<string, RoutingRuleRow>('list_routing_rules', {
  key: { tenant_id: ['uuid', tenantId => tenantId] },
  select: restrict => `
    select id, ${columns} from ${restrict('routing_rules')} r where r.tenant_id = k.tenant_id order by position, id`,
})

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
