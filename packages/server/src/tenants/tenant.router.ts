import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { findUser } from '../auth/user.sql.ts'
import { userView, viewUser } from '../auth/user-view.ts'
import { invalidJwt } from '../errors.ts'
import { text } from '../text.ts'
import { createTenant } from './create-tenant.ts'
import { findTenant, listTenants } from './tenant.sql.ts'
import { roles } from './tenant.ts'
import { createTenantInput, updateTenantInput } from './tenant-input.ts'
import { tenantPath, tenantView, viewTenant } from './tenant-view.ts'
import { updateTenant } from './update-tenant.ts'
import { getVisibleTenant } from './visible-tenant.ts'

const listInput = pageInput.extend({
  role: z.enum(roles).optional().meta({ description: 'Only tenants of this role' }),
  q: text()
    .optional()
    .meta({ description: 'Only tenants whose name contains this text, in any casing', example: 'budi' }),
})

export const tenantRouter = router({
  list: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants',
        operationId: 'listTenants',
        tags: ['Tenants'],
        summary: 'List tenants',
        description:
          'The Owner sees all, a Partner the Clients below it. Newest first; each filter narrows the list.',
      },
    })
    .input(listInput)
    .output(pageOf(tenantView, 'TenantPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        parentId: ctx.caller.role === 'owner' ? null : ctx.caller.tenantId,
        role: input.role ?? null,
        name: input.q || null,
      }
      return toPage(await listTenants(ctx.app.db, filter, afterId(input), input.limit + 1), input, viewTenant)
    }),

  create: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants',
        operationId: 'createTenant',
        tags: ['Tenants'],
        summary: 'Create a tenant',
        description:
          'The Owner creates Partners and Clients, a Partner Clients below itself of at most its own tier. A Client has its balances and its webhook secret from the start; provider accounts it gets with its entitlements, and its first user with `POST /v1/tenants/{tenant_id}/users`. Repeating it makes another tenant: after a lost answer, look at the list first.',
      },
    })
    .input(createTenantInput)
    .output(tenantView)
    .mutation(async ({ ctx, input: { parent_id: parentId, ...wanted } }) =>
      viewTenant(await createTenant(ctx.app, ctx.caller, { ...wanted, parentId })),
    ),

  get: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}',
        operationId: 'getTenant',
        tags: ['Tenants'],
        summary: 'Get a tenant',
        description: 'One that the caller manages, or the caller itself.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(tenantView)
    .query(async ({ ctx, input }) =>
      viewTenant(await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)),
    ),

  update: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/tenants/{tenant_id}',
        operationId: 'updateTenant',
        tags: ['Tenants'],
        summary: 'Change a tenant',
        description:
          'What is left out stays. Within a second of being suspended a tenant is refused with every key and log-in; its payments can still be paid. Only the Owner sets the tier. It can be repeated.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(tenantPath.extend(updateTenantInput.shape))
    .output(tenantView)
    .mutation(async ({ ctx, input: { tenant_id, ...changes } }) =>
      viewTenant(await updateTenant(ctx.app, ctx.caller, tenant_id, changes)),
    ),

  account: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account',
        operationId: 'getAccount',
        tags: ['Account'],
        summary: 'Get the account',
        description:
          "The tenant and the user that the access token stands for: the tenant's id is what paths with `{tenant_id}` want.",
      },
    })
    .input(z.object({}))
    .output(tenantView.extend({ user: userView }).meta({ id: 'Account' }))
    .query(async ({ ctx }) => {
      const { tenantId, userId } = ctx.caller
      const [tenant, user] = await Promise.all([
        findTenant(ctx.app.db, tenantId),
        findUser(ctx.app.db, tenantId, userId),
      ])
      // An access token can outlive its user.
      if (!tenant || !user) throw invalidJwt()
      return { ...viewTenant(tenant), user: viewUser(user) }
    }),
})
