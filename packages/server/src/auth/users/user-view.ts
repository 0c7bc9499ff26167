import { z } from 'zod'
import type { TenantUser } from './user.sql.ts'
import { permissionList } from './user-input.ts'

export const shownUserStatuses = ['invited', 'active', 'disabled'] as const

export const userView = z
  .strictObject({
    id: z.uuid(),
    email: z.string().meta({ example: 'budi@example.com' }),
    permissions: permissionList,
    status: z.enum(shownUserStatuses).meta({
      description:
        '`invited`: the user has not set a password yet. `active`: the user can log in. `disabled`: the user cannot log in',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'A user who can log in for a tenant' })

export const viewUser = (user: TenantUser): z.output<typeof userView> => ({
  id: user.id,
  email: user.email,
  permissions: user.permissions,
  // The API has no status `removed`, because removed users are not listed. Only the response to the removal itself
  // contains a removed user, and shows the status `disabled`.
  status: user.status === 'removed' ? 'disabled' : user.status,
  created_at: user.createdAt.toISOString(),
})
