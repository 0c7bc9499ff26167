// Limits the charges of a tenant that get no response, long before the first of them times out. Providers usually
// respond in less than a second.

const LONG_MS = 1_000
/** At an account that has not responded to the tenant for LONG_MS. */
const AT_SILENT_ACCOUNT = 64
/** At an account that has not responded to the tenant yet, while another one is silent: enough to find out. */
const AT_UNTRIED_ACCOUNT = 16

/** sinceMs: the start of the charges that wait, or the last response. */
type Waiting = { charges: number; sinceMs: number; respondedMs: number | undefined }

export type Silence = {
  begin(accountId: string, tenantId: string): void
  end(accountId: string, tenantId: string, isAnswered: boolean): void
  /** The maximum number of the tenant's charges in flight at the account; Infinity while responses arrive. */
  limitOf(accountId: string, tenantId: string): number
}

export function silence(nowMs = () => performance.now()): Silence {
  /** By tenant, then by account. Only tenants with charges in flight. */
  const tenants = new Map<string, Map<string, Waiting>>()
  const isSilent = ({ charges, sinceMs }: Waiting) => charges > 0 && nowMs() - sinceMs >= LONG_MS
  const respondedLately = ({ respondedMs }: Waiting) =>
    respondedMs !== undefined && nowMs() - respondedMs < LONG_MS

  return {
    begin(accountId, tenantId) {
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
      if (here && isSilent(here)) return AT_SILENT_ACCOUNT
      if (here && respondedLately(here)) return Number.POSITIVE_INFINITY
      return [...accounts.values()].some(isSilent) ? AT_UNTRIED_ACCOUNT : Number.POSITIVE_INFINITY
    },
  }
}
