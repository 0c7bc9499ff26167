import { z } from 'zod'
import { modes } from '../mode.ts'
import type { Role } from '../tenants/tenant.ts'
import type { EntitledAccountRow } from './entitlement.sql.ts'

export const entitlementView = z
  .strictObject({
    provider_account_id: z.uuid(),
    priority: z
      .int()
      .meta({ description: 'Where no routing rule decides, lower is tried first', example: 100 }),
    provider: z.string().meta({ example: 'midtrans' }),
    name: z.string().nullable().meta({
      description: 'Of the account, for the Owner; null to a Partner',
      example: 'Midtrans of PT Toko Budi',
    }),
    mode: z.enum(modes),
    enabled: z.boolean().meta({ description: 'A disabled account gets no new payments' }),
  })
  .meta({ id: 'Entitlement' })

/** Only the Owner sees the names of its accounts. */
export const viewEntitlement = (
  entitled: EntitledAccountRow,
  role: Role,
): z.output<typeof entitlementView> => ({
  provider_account_id: entitled.providerAccountId,
  priority: entitled.priority,
  provider: entitled.providerCode,
  name: role === 'owner' ? entitled.name : null,
  mode: entitled.mode,
  enabled: entitled.enabled,
})
