// Limits a tenant's charges in flight at an unresponsive provider account. The limit applies when the account has not
// responded for one second. Providers usually respond in less than a second, and a charge times out much later.

const UNRESPONSIVE_AFTER_MS = 1_000
/**
 * The maximum number of charges that a tenant can have in flight at an unresponsive provider account. An account is
 * unresponsive if it has not responded to any of the tenant's charges for a second.
 */
const MAX_AT_UNRESPONSIVE_ACCOUNT = 64
/**
 * The maximum number of a tenant's charges in flight at an account that has not responded to the tenant in the last
 * second. This limit applies only while another account is unresponsive. It is high enough to test whether the account
 * responds.
 */
const MAX_AT_UNTRIED_ACCOUNT = 16

/**
 * A tenant's charges that wait for a response from one provider account. `sinceMs` is when the account last
 * responded to the tenant or, if it never did, when the first waiting charge started.
 */
type Waiting = { charges: number; sinceMs: number; respondedMs: number | undefined }

export type UnresponsiveAccountLimit = {
  start(accountId: string, tenantId: string): void
  end(accountId: string, tenantId: string, isAnswered: boolean): void
  /**
   * Returns how many charges the tenant may have in flight at the account, or Infinity (no limit) while the
   * account responds.
   */
  limitOf(accountId: string, tenantId: string): number
}

export function unresponsiveAccountLimit(nowMs = () => performance.now()): UnresponsiveAccountLimit {
  /**
   * The charges that are waiting for a response, by tenant and provider account. A tenant without charges in
   * flight has no entry.
   */
  const tenants = new Map<string, Map<string, Waiting>>()
  const isUnresponsive = ({ charges, sinceMs }: Waiting) =>
    charges > 0 && nowMs() - sinceMs >= UNRESPONSIVE_AFTER_MS
  const respondedRecently = ({ respondedMs }: Waiting) =>
    respondedMs !== undefined && nowMs() - respondedMs < UNRESPONSIVE_AFTER_MS

  return {
    start(accountId, tenantId) {
      const accounts = tenants.get(tenantId) ?? new Map<string, Waiting>()
      tenants.set(tenantId, accounts)
      const waiting = accounts.get(accountId)
      const charges = waiting?.charges ?? 0
      accounts.set(accountId, {
        charges: charges + 1,
        sinceMs: charges > 0 && waiting ? waiting.sinceMs : nowMs(),
        respondedMs: waiting?.respondedMs,
      })
    },
    end(accountId, tenantId, isAnswered) {
      const accounts = tenants.get(tenantId) as Map<string, Waiting>
      const waiting = accounts.get(accountId) as Waiting
      waiting.charges -= 1
      if (isAnswered) waiting.sinceMs = waiting.respondedMs = nowMs()
      if ([...accounts.values()].every(({ charges }) => charges === 0)) tenants.delete(tenantId)
    },
    limitOf(accountId, tenantId) {
      const accounts = tenants.get(tenantId)
      if (!accounts) return Number.POSITIVE_INFINITY
      const here = accounts.get(accountId)
      if (here && isUnresponsive(here)) return MAX_AT_UNRESPONSIVE_ACCOUNT
      if (here && respondedRecently(here)) return Number.POSITIVE_INFINITY
      return [...accounts.values()].some(isUnresponsive) ? MAX_AT_UNTRIED_ACCOUNT : Number.POSITIVE_INFINITY
    },
  }
}
