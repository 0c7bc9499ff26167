// The kinds of problems ("conditions") that the service emails users about, and the rules for these emails. The
// functions in this file have no side effects.

import type { Permission } from '../auth/users/permission.ts'
import { type Role, roles } from '../tenants/tenant.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Rule = {
  /** How long a problem must last before users are emailed. No email is sent about a shorter problem. */
  afterMs: number
  /** The tenant roles that receive this kind of email. */
  roles: readonly Role[]
  /** The email is sent to the tenant's users who have at least one of these permissions. */
  to: readonly Permission[]
}

export const noticeRules = {
  /**
   * The deliveries to the callback URL, or to an additional webhook endpoint, fail. None has succeeded since the
   * first failed attempt.
   */
  receiver_failing: { afterMs: HOUR_MS, roles: ['client'], to: ['admin', 'developer'] },
  /**
   * A rotated API key expires soon but is still used. Users are notified only some time after the rotation, because
   * they need a few minutes to replace the key in their programs.
   */
  key_expiring: { afterMs: 10 * MINUTE_MS, roles, to: ['admin', 'developer'] },
  /**
   * Unexpected live money (received, but not expected by any open payment) is waiting for the Owner (the operator)
   * to decide whether to credit it.
   */
  unexpected_money: { afterMs: 0, roles: ['owner'], to: ['admin', 'finance'] },
  /**
   * The outcome of a live charge or refund is unknown, because the provider has not reported it within 72
   * hours.
   */
  outcome_unknown: { afterMs: 0, roles: ['owner'], to: ['admin', 'finance'] },
  /** A provider account's circuit is open, so routing avoids the account (docs/provider-health.md). */
  provider_down: { afterMs: 5 * MINUTE_MS, roles: ['owner'], to: ['admin', 'finance'] },
  /** The share of paid payments at a live provider account is clearly lower than on previous days. */
  success_rate_falling: { afterMs: 0, roles: ['owner'], to: ['admin', 'finance'] },
} satisfies Record<string, Rule>

export type NoticeKind = keyof typeof noticeRules
export const noticeKinds = Object.keys(noticeRules) as NoticeKind[]

/**
 * Returns the kinds of notice emails that a user with this role and these permissions gets, unless the user turns
 * them off.
 */
export const noticeKindsFor = (role: Role, permissions: readonly Permission[]): NoticeKind[] =>
  noticeKinds.filter(kind => {
    const rule: Rule = noticeRules[kind]
    return rule.roles.includes(role) && rule.to.some(each => permissions.includes(each))
  })

/**
 * Returns the time after which an email about a continuing problem is repeated, or null if it is never repeated.
 * Emails about failing webhook receivers and falling success rates are not repeated. A merchant may leave a test
 * receiver broken, and a success rate can stay low for a long time.
 */
export const repeatAfterMs = (kind: NoticeKind): number | null =>
  kind === 'receiver_failing' || kind === 'success_rate_falling' ? null : 24 * HOUR_MS

/**
 * Returns how long a problem must be absent before it counts as ended. An open circuit breaker is reported every
 * minute, so a few minutes without a report are enough. A low success rate counts as ended only after six hours,
 * because the rate can cross the limit many times in a short period.
 */
export function unseenMs(kind: NoticeKind): number {
  if (kind === 'provider_down') return 3 * MINUTE_MS
  return kind === 'success_rate_falling' ? 6 * HOUR_MS : 0
}

/** A condition (a problem) the service found. `detail` contains the values that the email about it mentions. */
export type FoundCondition = {
  tenantId: string
  kind: NoticeKind
  /**
   * Identifies the object that has the problem ("condition"). The value is unique among the tenant's
   * conditions of the same kind.
   */
  subject: string
  since: Date
  /**
   * When the problem was last known not to exist, such as the time of the last successful delivery, or null
   * if unknown.
   */
  heldNotAt?: Date | null
  detail: Record<string, string | number>
}

export type Notice = FoundCondition & { id: string }
