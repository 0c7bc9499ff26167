import { z } from 'zod'
import { roles, type TenantRecord, tenantStatuses, tiers } from './tenant.ts'

export const tenantView = z
  .strictObject({
    id: z.uuid(),
    name: z.string().meta({ example: 'Toko Budi' }),
    role: z.enum(roles),
    tier: z.enum(tiers).meta({
      description:
        "The tenant's tier, which sets its request limits. Limits that the Owner sets for this tenant take precedence",
    }),
    parent_id: z.uuid().nullable().meta({
      description: 'ID of the Partner that manages this tenant; null if none does',
    }),
    status: z.enum(tenantStatuses).meta({
      description:
        "The tenant's status. If a tenant is suspended, requests with its API keys or access tokens are rejected, but its existing payments can still be paid",
    }),
    suspended_by_owner: z.boolean().meta({
      description: 'Whether the Owner suspended the tenant. Only the Owner can reactivate it then',
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
  suspended_by_owner: tenant.suspendedByOwner,
  created_at: tenant.createdAt.toISOString(),
  updated_at: tenant.updatedAt.toISOString(),
})

/**
 * The tenant id in the path. Text that is not a UUID is allowed: no tenant has such an id, so the response is 404.
 */
export const tenantPath = z.object({
  tenant_id: z
    .string()
    .meta({ description: 'UUID of the tenant', example: '01990000-0000-7000-8000-000000000010' }),
})
