import { z } from 'zod'
import { afterId, type PageInput, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import type { App } from '../app.ts'
import { inScope } from '../db/scope.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { changePassword } from './change-password.ts'
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
        description: 'Who logs in for the tenant. Newest first.',
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
          'Somebody who logs in for the tenant. An e-mail address belongs to one user of one tenant, whatever its casing, so repeating it is a 409.',
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
        description: 'Who logs in for your tenant, yourself among them. Newest first.',
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
          'Of the user that the access token stands for. Ends every other session of the user, and what was mailed to reset the password; this session goes on. Access tokens of the others run out by themselves, within 15 minutes. A wrong `current_password` is a 400. After ten in a row each further attempt of the session has to wait, as at log-in; until then the response is 429 with `Retry-After`.',
      },
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
