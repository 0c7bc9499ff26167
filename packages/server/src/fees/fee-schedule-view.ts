import { z } from 'zod'
import { toJsonNumber } from '../values/money.ts'
import type { Fee } from './fee.ts'
import {
  chargedSchedules,
  type FeeLayer,
  type FeeSchedule,
  feeLayers,
  scheduleInForce,
  type TenantFees,
} from './fee-schedule.ts'
import { feeRuleInput } from './fee-schedule-input.ts'
import { totalOf } from './price.ts'
import { storeFeeRule } from './stored-fee-rule.ts'

const feeRuleView = z
  .strictObject({
    method_type: feeRuleInput.shape.method_type.unwrap(),
    channel: z.string().nullable().meta({
      description: 'Channel code the rule matches; null matches every channel',
      example: 'bca',
    }),
    percent_bps: z
      .int()
      .meta({ description: 'Percentage of the amount, in basis points: 70 is 0.7%', example: 70 }),
    fixed: z.int().meta({ description: 'Fixed part of the fee, in cents', example: 400_000 }),
    min: z.int().nullable().meta({ description: 'Minimum fee before tax, in cents', example: null }),
    max: z.int().nullable().meta({ description: 'Maximum fee before tax, in cents', example: null }),
    tax_bps: z.int().meta({
      description: 'Tax rate on the fee (PPN), in basis points: 1100 is 11%',
      example: 1_100,
    }),
  })
  .meta({ id: 'FeeRule', description: 'How the fee of a payment that matches the rule is computed' })

const version = {
  version: z.int().meta({ description: 'Number of this version of the fee schedule', example: 1 }),
  effective_from: z.iso
    .datetime()
    .meta({ description: 'Time from which this version of the fee schedule applies to new payments' }),
  refund_fees: z.boolean().meta({
    description:
      'Whether a successful refund returns the fee in proportion to the refunded amount. A chargeback never returns the fee',
  }),
  rules: z.array(feeRuleView),
  created_at: z.iso.datetime(),
}

const feeVersionView = z
  .strictObject(version)
  .meta({ id: 'FeeScheduleVersion', description: 'A version of a fee schedule' })

export const feeScheduleView = z
  .strictObject({
    tenant_id: z.uuid(),
    layer: z.enum(feeLayers).meta({
      description:
        '`operator`: the schedule sets what the operator charges. `partner`: the schedule sets what the Partner charges its Client',
    }),
    version: version.version
      .nullable()
      .meta({ description: 'Number of the version in force, or null if no version is in force', example: 1 }),
    effective_from: version.effective_from.nullable(),
    refund_fees: version.refund_fees,
    rules: version.rules,
    created_at: version.created_at.nullable(),
    upcoming: z.array(feeVersionView).meta({
      description: 'Versions not in force yet, sorted by start time',
    }),
  })
  .meta({
    id: 'FeeSchedule',
    description: "A tenant's fee schedule: the version in force, and the versions that apply later",
  })

export const viewFeeVersion = (schedule: FeeSchedule): z.output<typeof feeVersionView> => ({
  version: schedule.version,
  effective_from: schedule.effectiveFrom.toISOString(),
  refund_fees: schedule.refundsFees,
  rules: schedule.rules.map(storeFeeRule),
  created_at: schedule.createdAt.toISOString(),
})

/** A version of a tenant's fee schedule, as shown in the schedule's history in the dashboard. */
export const feeHistoryView = feeVersionView.extend({ state: z.enum(['past', 'in_force', 'upcoming']) })

/** Returns all versions of a fee schedule, latest first. */
export function viewFeeHistory(versions: FeeSchedule[], at: Date): z.output<typeof feeHistoryView>[] {
  const current = scheduleInForce(versions, at)
  return versions.toReversed().map(schedule => ({
    ...viewFeeVersion(schedule),
    state: schedule === current ? 'in_force' : schedule.effectiveFrom > at ? 'upcoming' : 'past',
  }))
}

/** A tenant's entry in the dashboard's list of tenants with a fee schedule. */
export const pricedTenantView = z.strictObject({ tenant_id: z.uuid(), tenant_name: z.string() })

const noVersion = { version: null, effective_from: null, refund_fees: false, rules: [], created_at: null }

export function viewFeeSchedule(
  tenantId: string,
  layer: FeeLayer,
  versions: FeeSchedule[],
  at: Date,
): z.output<typeof feeScheduleView> {
  const upcoming = versions
    .filter(({ effectiveFrom }) => effectiveFrom > at)
    .sort((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime())
  return viewSchedules(tenantId, { layer, current: scheduleInForce(versions, at), upcoming })
}

/**
 * Returns the API's view of the fees that the tenant pays. The schedule that applies can change over time: first the
 * operator's, then the Partner's, and later the operator's again.
 */
export const viewOwnFees = (tenantId: string, fees: TenantFees, at: Date): z.output<typeof feeScheduleView> =>
  viewSchedules(tenantId, chargedSchedules(fees, at))

const viewSchedules = (
  tenantId: string,
  { layer, current, upcoming }: ReturnType<typeof chargedSchedules>,
): z.output<typeof feeScheduleView> => ({
  tenant_id: tenantId,
  layer,
  ...(current ? viewFeeVersion(current) : noVersion),
  upcoming: upcoming.map(viewFeeVersion),
})

const cents = (description: string, example: number) => z.int().meta({ description, example })

const preview = {
  amount: cents('Payment amount, in cents', 15_000_000),
  fee: cents('Fee that is debited from the merchant, including tax, in cents', 560_550),
  net: cents('Fee before tax (DPP), in cents', 505_000),
  tax: cents('Tax on the fee (PPN), in cents', 55_550),
  received: cents('Amount the merchant receives (the payment amount minus the fee), in cents', 14_439_450),
  formula: z.string().nullable().meta({
    description: 'Fee formula; null if the payment has no fee',
    example: '0.7% + Rp 4.000, PPN 11%',
  }),
}

export const feePreviewView = z
  .strictObject(preview)
  .meta({ id: 'FeePreview', description: 'The fee that a payment would have if it were created now' })

export const tenantFeePreviewView = z
  .strictObject({
    ...preview,
    operator_fee: cents('Part of the fee that the operator keeps, including tax, in cents', 444_000),
    partner_margin: cents('Part of the fee that the Partner receives, in cents', 116_550),
  })
  .meta({
    id: 'TenantFeePreview',
    description: 'The fee that a payment would have if it were created now, and how this fee is split',
  })

export const viewFeePreview = (
  amount: bigint,
  { charged }: Fee,
  formula: string | null,
): z.output<typeof feePreviewView> => ({
  amount: toJsonNumber(amount),
  fee: toJsonNumber(totalOf(charged)),
  net: toJsonNumber(charged.net),
  tax: toJsonNumber(charged.tax),
  received: toJsonNumber(amount - totalOf(charged)),
  formula,
})

export const viewTenantFeePreview = (
  amount: bigint,
  fee: Fee,
  formula: string | null,
): z.output<typeof tenantFeePreviewView> => ({
  ...viewFeePreview(amount, fee, formula),
  operator_fee: toJsonNumber(totalOf(fee.operator)),
  partner_margin: toJsonNumber(fee.margin),
})
