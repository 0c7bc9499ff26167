// The versions of fee schedules, and how they determine the fee of a new payment.

import type { FeeTerm, FeeTerms } from './fee.ts'
import { type FeeRule, feeRuleFor, type PaymentChannel } from './fee-rule.ts'

/**
 * The two layers of fees. Layer `operator`: what the operator charges a tenant. Layer `partner`: what a
 * Partner charges its Client.
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

/** The fee schedules that can set the fees of a tenant, each with all its versions. */
export type TenantFees = {
  /** The id of the tenant's Partner; null for a tenant without a Partner. */
  partnerId: string | null
  operator: FeeSchedule[]
  partner: FeeSchedule[]
  /**
   * The schedules that set what the operator charges the tenant's Partner. They apply if the operator has no schedule
   * for the tenant.
   */
  operatorForPartner: FeeSchedule[]
}

/**
 * Returns the version that is in force at `at`: the one with the latest start time that is not after `at`. If
 * several versions have this time, the highest number is in force.
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
 * Returns the fee schedule that sets what the operator charges for the tenant's payments. A schedule for
 * the tenant itself takes precedence over the schedule of its Partner.
 */
export const operatorScheduleAt = (
  { operator, operatorForPartner }: TenantFees,
  at: Date,
): FeeSchedule | undefined => scheduleInForce(operator, at) ?? scheduleInForce(operatorForPartner, at)

/**
 * Returns the fee formulas for a payment that is created at `at`. Returns null if no rule matches, because
 * the payment then has no fee.
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
