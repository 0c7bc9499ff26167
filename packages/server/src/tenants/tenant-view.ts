import { z } from 'zod'
import { roles, type TenantRecord, tenantStatuses, tiers } from './tenant.ts'

export const tenantView = z
  .strictObject({
    id: z.uuid(),
    name: z.string().meta({ example: 'Toko Budi' }),
    role: z.enum(roles),
    tier: z
      .enum(tiers)
      .meta({ description: 'Sets its limits, unless the Owner has set others for the tenant' }),
    parent_id: z.uuid().nullable().meta({ description: 'The Partner that a Client belongs to' }),
    status: z.enum(tenantStatuses).meta({
      description: 'The keys and users of a suspended tenant are refused; its payments are still paid',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Tenant' })

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

/** The id is not checked to be a UUID: any other text is a tenant that does not exist, so the response is 404. */
export const tenantPath = z.object({
  tenant_id: z
    .string()
    .meta({ description: 'UUID of the tenant', example: '01990000-0000-7000-8000-000000000010' }),
})
