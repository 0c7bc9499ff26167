import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './user.sql.ts'
import { createUserInput } from './user-input.ts'
import { userView, viewUser } from './user-view.ts'

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
    .output(pageOf(userView, 'UserPage'))
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return toPage(await listUsers(ctx.app.db, id, afterId(input), input.limit + 1), input, viewUser)
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
})
