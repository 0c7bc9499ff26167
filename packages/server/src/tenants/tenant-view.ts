import { z } from 'zod'
import { roles, type TenantRecord, tenantStatuses, tiers } from './tenant.ts'

export const tenantView = z
  .strictObject({
    id: z.uuid(),
    name: z.string().meta({ example: 'Toko Budi' }),
    role: z.enum(roles),
    tier: z.enum(tiers).meta({
      description:
        'Tier of the tenant. The tier determines the request limits of the tenant. Limits that the Owner has set for this tenant take precedence',
    }),
    parent_id: z.uuid().nullable().meta({
      description: 'ID of the Partner that manages this tenant; null if no Partner manages it',
    }),
    status: z.enum(tenantStatuses).meta({
      description:
        'Status of the tenant. Requests with API keys or access tokens of a suspended tenant are rejected; existing payments of the tenant can still be paid',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Tenant', description: 'A tenant: the Owner, a Partner or a Client' })

export const viewTenant = (tenant: TenantRecord): z.output<typeof tenantView> => ({
  id: tenant.id,
  name: tenant.name,
  role: tenant.role,
  tier: tenant.tier,
  parent_id: tenant.parentId,
  status: tenant.status,
  created_at: tenant.createdAt.toISOString(),
  updated_at: tenant.updatedAt.toISOString(),
})

/**
 * The path parameter with the tenant's id. It may be text that is not a UUID: no tenant has such an id, so
 * the response is 404.
 */
export const tenantPath = z.object({
  tenant_id: z
    .string()
    .meta({ description: 'UUID of the tenant', example: '01990000-0000-7000-8000-000000000010' }),
})
