import { z } from 'zod'
import { afterId, type PageInput, pageInput, pageOf, toPage } from '../../api/page.ts'
import { router, userProcedure } from '../../api/trpc.ts'
import type { App } from '../../app.ts'
import { inScope } from '../../db/tenant-scope.ts'
import { tenantPath } from '../../tenants/tenant-view.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { changePassword } from '../passwords/change-password.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './user.sql.ts'
import { changePasswordInput, createUserInput } from './user-input.ts'
import { userView, viewUser } from './user-view.ts'

const userPage = pageOf(userView, 'UserPage')

export const userRouter = router({
  list: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/users',
        operationId: 'listUsers',
        tags: ['Users'],
        summary: "List a tenant's users",
        description: 'Lists the users who can log in for the tenant, newest first.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(pageInput.shape))
    .output(userPage)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return pageOfUsers(ctx.app, id, input)
    }),

  create: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants/{tenant_id}/users',
        operationId: 'createUser',
        tags: ['Users'],
        summary: 'Create a user',
        description:
          'Creates a user who can log in for the tenant. An email address can belong to only one user across all tenants, ignoring case. If the address is already in use, the response is 409.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(tenantPath.extend(createUserInput.shape))
    .output(userView)
    .mutation(async ({ ctx, input: { tenant_id, ...wanted } }) =>
      viewUser(await createUser(ctx.app, ctx.caller, tenant_id, wanted)),
    ),

  listOwn: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/users',
        operationId: 'listOwnUsers',
        tags: ['Account'],
        summary: 'List your users',
        description: 'Lists the users who can log in for your tenant, including you, newest first.',
      },
    })
    .input(pageInput)
    .output(userPage)
    .query(({ ctx, input }) => pageOfUsers(ctx.app, ctx.caller.tenantId, input)),

  changePassword: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/password',
        operationId: 'changePassword',
        tags: ['Account'],
        summary: 'Change your password',
        description:
          'Changes the password of the user who is logged in. Ends all other sessions of the user and invalidates pending password-reset tokens. The current session continues. Access tokens of the ended sessions expire within 15 minutes. A wrong `current_password` returns 400. After ten wrong passwords in a row, further attempts in this session are delayed as for login: the response is 429 with `Retry-After`.',
      },
      ignoresKey: 'password',
    })
    .input(changePasswordInput)
    .output(z.strictObject({ changed: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const change = {
        currentPassword: input.current_password,
        newPassword: input.new_password,
        source: ctx.source(),
      }
      // Runs outside any database scope, like a log-in: within a scope, password hashes cannot be read and sessions
      // cannot be ended.
      ctx.device?.keep(await inScope(undefined, () => changePassword(ctx.app, ctx.caller, change)))
      return { changed: true as const }
    }),
})

const pageOfUsers = async (app: App, tenantId: string, input: PageInput) =>
  toPage(await listUsers(app.db, tenantId, afterId(input), input.limit + 1), input, viewUser)
