import { z } from 'zod'
import type { Entitlement } from './entitlement.sql.ts'

export const entitlementView = z
  .strictObject({
    provider_account_id: z.uuid(),
    priority: z
      .int()
      .meta({ description: 'Where no routing rule decides, lower is tried first', example: 100 }),
  })
  .meta({ id: 'Entitlement' })

export const viewEntitlement = (entitlement: Entitlement): z.output<typeof entitlementView> => ({
  provider_account_id: entitlement.providerAccountId,
  priority: entitlement.priority,
})
