// The versions of fee schedules, and how they determine the fee of a new payment.

import type { FeeTerm, FeeTerms } from './fee.ts'
import { type FeeRule, feeRuleFor, type PaymentChannel } from './fee-rule.ts'

/**
 * The two layers of fees. The layer `operator` contains what the operator charges a tenant. The layer
 * `partner` contains what a Partner charges its Client.
 */
export const feeLayers = ['operator', 'partner'] as const
export type FeeLayer = (typeof feeLayers)[number]

export type FeeSchedule = {
  version: number
  effectiveFrom: Date
  refundsFees: boolean
  rules: FeeRule[]
  createdAt: Date
}

/** The fee schedules that can determine a tenant's fees. Each schedule includes all of its versions. */
export type TenantFees = {
  /** The ID of the tenant's Partner, or null if the tenant has none. */
  partnerId: string | null
  operator: FeeSchedule[]
  partner: FeeSchedule[]
  /**
   * The schedules for what the operator charges the tenant's Partner. They apply if the operator has no schedule
   * for the tenant.
   */
  operatorForPartner: FeeSchedule[]
}

/**
 * Returns the version that is in force at the time `at`. This is the version with the latest start time that
 * is not after `at`. If several versions have this start time, the one with the highest number is in force.
 */
export function scheduleInForce(schedules: readonly FeeSchedule[], at: Date): FeeSchedule | undefined {
  return schedules
    .filter(({ effectiveFrom }) => effectiveFrom <= at)
    .reduce<FeeSchedule | undefined>(
      (last, each) => (last === undefined || isAfter(each, last) ? each : last),
      undefined,
    )
}

const isAfter = (one: FeeSchedule, other: FeeSchedule): boolean =>
  one.effectiveFrom.getTime() === other.effectiveFrom.getTime()
    ? one.version > other.version
    : one.effectiveFrom > other.effectiveFrom

/**
 * Returns the fee schedule that sets what the operator charges for the tenant's payments. If the operator has
 * a schedule for the tenant itself, this schedule takes precedence over the schedule for the tenant's
 * Partner.
 */
export const operatorScheduleAt = (
  { operator, operatorForPartner }: TenantFees,
  at: Date,
): FeeSchedule | undefined => scheduleInForce(operator, at) ?? scheduleInForce(operatorForPartner, at)

/**
 * Returns the fee schedule that the tenant pays by at the time `at`. This is the Partner's schedule, or the operator's
 * schedule if the Partner has no schedule with rules.
 */
function chargedScheduleAt(fees: TenantFees, at: Date): FeeSchedule | undefined {
  const partner = scheduleInForce(fees.partner, at)
  return partner && partner.rules.length > 0 ? partner : (operatorScheduleAt(fees, at) ?? partner)
}

/**
 * Returns the fee schedule that applies to the tenant now, and all later schedules, sorted by the time from which
 * they apply to the tenant.
 */
export function chargedSchedules(
  fees: TenantFees,
  at: Date,
): { layer: FeeLayer; current: FeeSchedule | undefined; upcoming: FeeSchedule[] } {
  const current = chargedScheduleAt(fees, at)
  const starts = [...fees.operator, ...fees.partner, ...fees.operatorForPartner]
    .map(({ effectiveFrom }) => effectiveFrom)
    .filter(start => start > at)
    .sort((a, b) => a.getTime() - b.getTime())
  const changes = starts
    .map(effectiveFrom => ({ effectiveFrom, schedule: chargedScheduleAt(fees, effectiveFrom) }))
    .filter(({ schedule }, index, all) => schedule !== (index > 0 ? all[index - 1]?.schedule : current))
  const first = current ?? changes[0]?.schedule
  return {
    layer: first && fees.partner.includes(first) ? 'partner' : 'operator',
    current,
    upcoming: changes.flatMap(({ effectiveFrom, schedule }) =>
      schedule ? { ...schedule, effectiveFrom } : [],
    ),
  }
}

/**
 * Returns the fee formulas for a payment that is created at `at`. Returns null if no rule matches the payment, which
 * then has no fee.
 */
export function feeTermsAt(fees: TenantFees, channel: PaymentChannel, at: Date): FeeTerms | null {
  const operator = termOf(operatorScheduleAt(fees, at), channel)
  const partner = termOf(scheduleInForce(fees.partner, at), channel)
  return operator || partner ? { operator, partner } : null
}

function termOf(schedule: FeeSchedule | undefined, channel: PaymentChannel): FeeTerm | null {
  const rule = schedule && feeRuleFor(schedule.rules, channel)
  if (!rule) return null
  const { methodType: _, channel: __, ...formula } = rule
  return { ...formula, version: schedule.version, refundsFees: schedule.refundsFees }
}
