import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { methodTypes } from '../payments/method.ts'
import type { Providers } from '../providers/provider.ts'
import { getManagedTenant } from '../tenants/managed-tenant.ts'
import { lockTenant } from '../tenants/tenant.sql.ts'
import type { Manager } from '../tenants/tenant.ts'
import { toJsonNumber } from '../values/money.ts'
import type { Clock } from '../values/time.ts'
import { amountBelowCost } from './below-cost.ts'
import { conditionsOf, type FeeRule, feeRuleFor } from './fee-rule.ts'
import { insertFeeSchedule, listFeeSchedules } from './fee-schedule.sql.ts'
import { type FeeLayer, type FeeSchedule, operatorScheduleAt, type TenantFees } from './fee-schedule.ts'
import { viewFeeVersion } from './fee-schedule-view.ts'
import { priceOf, totalOf } from './price.ts'

export type WantedFees = { effectiveFrom: Date; refundsFees: boolean; rules: FeeRule[] }

/**
 * Returns which fees the caller may set (the layer of fees). A Partner sets the fees that its Clients pay to the
 * Partner. The Owner sets the operator's fees.
 */
export const layerOf = (caller: Manager): FeeLayer => (caller?.role === 'partner' ? 'partner' : 'operator')

type Deps = {
  db: Db
  providers: Providers
  clock: Clock
  feesOf: (tenantId: string) => Promise<TenantFees>
  forgetFees: (tenantId: string) => void
}

/**
 * Adds a version to a tenant's fee schedule. Existing payments keep their fees. Throws an error if a
 * Partner's price would be below its cost.
 */
export async function changeFeeSchedule(
  app: Deps,
  caller: Manager,
  tenantId: string,
  wanted: WantedFees,
): Promise<void> {
  const tenant = await getManagedTenant(app, caller, tenantId)
  const layer = layerOf(caller)
  refuseRepeatedRules(wanted.rules)
  refuseUnknownChannels(app.providers, wanted.rules)
  if (layer === 'partner') {
    const start = notBefore(app.clock(), wanted.effectiveFrom)
    refuseBelowCost(wanted.rules, operatorScheduleAt(await app.feesOf(tenant.id), start))
  }
  await auditedTransaction(app, caller, async tx => {
    await lockTenant(tx, tenant.id)
    const before = (await listFeeSchedules(tx, tenant.id, layer)).at(-1)
    const now = app.clock()
    const added: FeeSchedule = {
      ...wanted,
      effectiveFrom: notBefore(now, wanted.effectiveFrom),
      version: (before?.version ?? 0) + 1,
      createdAt: now,
    }
    await insertFeeSchedule(tx, tenant.id, layer, added)
    return {
      result: undefined,
      action: 'fee_schedule.replace',
      tenantId: tenant.id,
      subjectId: tenant.id,
      before: { layer, ...(before && viewFeeVersion(before)) },
      after: { layer, ...viewFeeVersion(added) },
    }
  })
  app.forgetFees(tenant.id)
}

/**
 * Returns when a new fee schedule version starts to apply: at its start time, or now if this time is in the
 * past.
 */
const notBefore = (now: Date, start: Date): Date => (start < now ? now : start)

function refuseRepeatedRules(rules: FeeRule[]): void {
  const keys = rules.map(conditionsOf)
  const repeat = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (repeat >= 0) throw fault('fee_rule_repeated', {}, { field: `rules.${repeat}` })
}

/**
 * Rejects a rule for a channel that no provider offers, because such a rule would never match a payment. With a
 * misspelled channel, payments would have no fee or the fee of a more general rule.
 */
function refuseUnknownChannels(providers: Providers, rules: FeeRule[]): void {
  rules.forEach(({ methodType, channel }, index) => {
    if (channel === null) return
    // Providers also list methods that payments cannot use yet. A rule without a method type therefore covers
    // only the types in `methodTypes`.
    const types: readonly string[] = methodType === null ? methodTypes : [methodType]
    const offered = new Set(
      [...providers.values()]
        .flatMap(({ methods }) => methods)
        .filter(({ type }) => types.includes(type))
        .flatMap(({ channels }) => channels.map(({ code }) => code)),
    )
    if (offered.has(channel)) return
    throw fault('channel_unknown', { channel, offered: [...offered] }, { field: `rules.${index}.channel` })
  })
}

/**
 * Throws an error if the Partner's price is below its cost. `cost` is the operator's fee schedule at the time from
 * which the price applies. Checks every method and channel for which one of these two schedules has a rule.
 */
function refuseBelowCost(rules: FeeRule[], cost: FeeSchedule | undefined): void {
  if (!cost) return
  for (const channel of channelsIn([...rules, ...cost.rules])) {
    const own = feeRuleFor(rules, channel)
    const owed = feeRuleFor(cost.rules, channel)
    const amount = own && owed && amountBelowCost(own, owed)
    if (!amount) continue
    throw fault(
      'fee_below_cost',
      { amount: toJsonNumber(amount), cost: toJsonNumber(totalOf(priceOf(owed, amount))) },
      { field: `rules.${rules.indexOf(own)}` },
    )
  }
}

/**
 * A channel name that occurs in no fee rule. It represents every channel to which only rules without a channel apply.
 */
const UNNAMED = ''

function channelsIn(rules: FeeRule[]) {
  const channels = new Set([UNNAMED, ...rules.flatMap(({ channel }) => channel ?? [])])
  return methodTypes.flatMap(methodType => [...channels].map(channel => ({ methodType, channel })))
}
