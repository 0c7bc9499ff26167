// Divides a provider account's slots for status inquiries among the tenants. A tenant may use three quarters of the
// free slots, so its slow inquiries leave slots for other tenants. If there are fewer slots than tenants, the tenants
// take turns.

type AccountTenant = { accountId: string; tenantId: string }

export type TenantSlots = {
  take(of: AccountTenant): void
  free(of: AccountTenant): void
  /**
   * Returns how many more status checks each tenant may start at each provider account. `free` lists the free
   * slots of the accounts. The result contains only tenants with checks in flight at an account.
   */
  freeSlots(free: { accountId: string; room: number }[]): (AccountTenant & { room: number })[]
  /**
   * Records the tenants that got slots for status checks at the account in this round. The next round continues with
   * the tenants after them.
   */
  recordTurn(accountId: string, tenantIds: string[]): void
  /** Returns, for each provider account, the tenant that got slots for status inquiries most recently. */
  lastServed(): AccountTenant[]
}

export function tenantSlots(): TenantSlots {
  const taken = new Map<string, Map<string, number>>()
  const lastTenant = new Map<string, string>()

  return {
    take({ accountId, tenantId }) {
      const tenants = taken.get(accountId) ?? new Map<string, number>()
      taken.set(accountId, tenants.set(tenantId, (tenants.get(tenantId) ?? 0) + 1))
    },
    free({ accountId, tenantId }) {
      const tenants = taken.get(accountId) as Map<string, number>
      const left = (tenants.get(tenantId) as number) - 1
      if (left > 0) tenants.set(tenantId, left)
      else tenants.delete(tenantId)
      if (tenants.size === 0) taken.delete(accountId)
    },
    freeSlots: free =>
      free.flatMap(({ accountId, room }) =>
        [...(taken.get(accountId) ?? [])].map(([tenantId, count]) => ({
          ...{ accountId, tenantId },
          room: Math.max(0, Math.ceil((3 * room - count) / 4)),
        })),
      ),
    recordTurn(accountId, tenantIds) {
      const previous = lastTenant.get(accountId) ?? ''
      const [beforeIt, afterIt] = [
        tenantIds.filter(id => id <= previous),
        tenantIds.filter(id => id > previous),
      ]
      const last = (beforeIt.length > 0 ? beforeIt : afterIt).sort().at(-1)
      if (last !== undefined) lastTenant.set(accountId, last)
    },
    lastServed: () => [...lastTenant].map(([accountId, tenantId]) => ({ accountId, tenantId })),
  }
}
