import { z } from 'zod'
import type { TenantUser } from './user.sql.ts'

export const userView = z
  .strictObject({
    id: z.uuid(),
    email: z.string().meta({ example: 'budi@example.com' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A user who can log in for a tenant' })

export const viewUser = (user: TenantUser): z.output<typeof userView> => ({
  id: user.id,
  email: user.email,
  created_at: user.createdAt.toISOString(),
})
