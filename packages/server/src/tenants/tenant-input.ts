// Schemas for tenants. Forms in the browser use the same schemas, so this file must not import server-only
// modules (test/architecture.test.ts).

import { z } from 'zod'
import { notBlank, text } from '../values/text.ts'
import { roles, tenantStatuses, tiers } from './tenant.ts'

const tenantName = text()
  .min(1)
  .meta({ ...notBlank, example: 'Toko Budi' })

export const createTenantInput = z.object({
  name: tenantName,
  role: z.enum(roles).default('client').meta({ example: 'client' }),
  tier: z.enum(tiers).default('starter').meta({ example: 'starter' }),
  parent_id: z.uuid().nullable().default(null).meta({
    description: 'ID of the Partner that will manage the new Client. Only the Owner can set this field',
  }),
})

/** The fields of a tenant to change. Omitted fields stay unchanged. */
export const updateTenantInput = z.object({
  name: tenantName.optional(),
  tier: z.enum(tiers).optional(),
  status: z.enum(tenantStatuses).optional().meta({ example: 'suspended' }),
})
