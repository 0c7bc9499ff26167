import type { Db } from '../db/db.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { findOwnerId } from '../tenants/tenant.sql.ts'
import type { Clock } from '../values/time.ts'
import { recordConditions } from './notice.sql.ts'

/**
 * Records the provider accounts whose circuit breaker is open in this process because recent charges failed. Each
 * process has its own circuit breakers and reports them.
 */
export async function reportOpenCircuits(app: {
  db: Db
  clock: Clock

  health: Pick<ProviderHealth, 'all'>
}): Promise<void> {
  const open = app.health.all().filter(({ circuit }) => circuit !== 'closed')
  if (open.length === 0) return
  const tenantId = await findOwnerId(app.db)
  if (tenantId === undefined) return
  const at = app.clock()
  await recordConditions(
    app.db,
    open.map(({ accountId, providerCode, since }) => ({
      tenantId,
      kind: 'provider_down' as const,
      subject: accountId,
      since: since ?? at,
      detail: { provider: providerCode, account_id: accountId },
    })),
    at,
  )
}
