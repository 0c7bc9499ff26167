import { z } from 'zod'
import type { Role } from '../tenants/tenant.ts'
import { modes } from '../values/mode.ts'
import type { EntitledAccountRow } from './entitlement.sql.ts'

export const entitlementView = z
  .strictObject({
    provider_account_id: z.uuid(),
    priority: z.int().meta({
      description:
        "Order in which the tenant's provider accounts are tried if no routing rule matches the payment; lower values are tried first",
      example: 100,
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    name: z.string().nullable().meta({
      description: 'Provider account name. Visible to the Owner; null for a Partner',
      example: 'Midtrans of PT Toko Budi',
    }),
    mode: z.enum(modes),
    enabled: z.boolean().meta({
      description: 'Whether the provider account is enabled. A disabled account receives no new payments',
    }),
  })
  .meta({ id: 'Entitlement', description: 'Permission of a tenant to use a provider account' })

/**
 * Returns the API's view of an entitlement (a tenant's permission to use a provider account). Only the Owner (the
 * operator) sees the provider accounts' names.
 */
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
