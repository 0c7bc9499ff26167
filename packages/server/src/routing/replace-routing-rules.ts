import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { AnyProvider, Providers } from '../providers/provider.ts'
import { getManagedTenant } from '../tenants/managed-tenant.ts'
import { lockTenant } from '../tenants/tenant.sql.ts'
import type { Manager } from '../tenants/tenant.ts'
import { listEntitlements } from './entitlement.sql.ts'
import type { RoutingRule } from './route.ts'
import { listRulesInBatch, replaceRules } from './routing-rule.sql.ts'
import { viewRule } from './routing-rule-view.ts'

/**
 * Replaces all of the tenant's routing rules. A routing rule selects a provider account that is tried first
 * for certain payments.
 */
export async function replaceRoutingRules(
  app: { db: Db; providers: Providers },
  caller: Manager,
  tenantId: string,
  rules: RoutingRule[],
): Promise<RoutingRule[]> {
  const tenant = await getManagedTenant(app, caller, tenantId)
  return auditedTransaction(app, caller, async tx => {
    await lockTenant(tx, tenant.id)
    const entitled = await listEntitlements(tx, tenant.id)
    rules.forEach((rule, index) => {
      const account = entitled.find(each => each.providerAccountId === rule.providerAccountId)
      if (!account) throw fault('account_not_entitled', {}, { field: `items.${index}.provider_account_id` })
      refuseUnoffered(app.providers.get(account.providerCode), rule, index)
    })
    const before = await listRulesInBatch(tx, tenant.id)
    await replaceRules(tx, tenant.id, rules)
    const after = await listRulesInBatch(tx, tenant.id)
    return {
      result: after,
      action: 'routing_rules.replace',
      tenantId: tenant.id,
      subjectId: tenant.id,
      before: { items: before.map(viewRule) },
      after: { items: after.map(viewRule) },
    }
  })
}

/**
 * Rejects a routing rule for a method or channel that the rule's provider does not offer, because such a rule
 * would never match a payment.
 */
function refuseUnoffered(
  provider: AnyProvider | undefined,
  { methodType, channel }: RoutingRule,
  index: number,
): void {
  if (!provider) return
  const methods = provider.methods.filter(({ type }) => methodType === null || type === methodType)
  if (methods.length === 0)
    throw fault(
      'method_not_offered',
      { method: String(methodType), provider: provider.name },
      { field: `items.${index}.method_type` },
    )
  const offered = methods.flatMap(method => method.channels.map(({ code }) => code))
  if (channel !== null && !offered.includes(channel))
    throw fault(
      'channel_not_offered',
      { channel, provider: provider.name, offered },
      { field: `items.${index}.channel` },
    )
}
