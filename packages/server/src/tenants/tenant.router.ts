import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { securityFields } from '../auth/second-factor/second-factor-input.ts'
import { findUser } from '../auth/users/user.sql.ts'
import { userView, viewUser } from '../auth/users/user-view.ts'
import { fault } from '../faults/fault.ts'
import { toJsonNumber } from '../values/money.ts'
import { text } from '../values/text.ts'
import { createTenant } from './create-tenant.ts'
import { findPartnerName, findTenant, listTenants } from './tenant.sql.ts'
import { roles } from './tenant.ts'
import { createTenantInput, updateTenantInput } from './tenant-input.ts'
import { tenantPath, tenantView, viewTenant } from './tenant-view.ts'
import { updateTenant } from './update-tenant.ts'
import { getVisibleTenant } from './visible-tenant.ts'

const listInput = pageInput.extend({
  role: z.enum(roles).optional().meta({ description: 'Only tenants with this role' }),
  q: text()
    .optional()
    .meta({ description: 'Only tenants whose name contains this text (case-insensitive)', example: 'budi' }),
})

export const tenantRouter = router({
  list: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants',
        operationId: 'listTenants',
        tags: ['Tenants'],
        summary: 'List tenants',
        description:
          'Lists tenants, newest first. The Owner sees all tenants, and a Partner sees its Clients. A tenant must match all given filters to be listed.',
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

  create: userProcedure({ permission: 'admin', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants',
        operationId: 'createTenant',
        tags: ['Tenants'],
        summary: 'Create a tenant',
        description:
          'Creates a tenant. The Owner can create Partners and Clients. A Partner can create its own Clients, with the tier of the Partner or a lower tier. A new Client has balances and a webhook secret from the start. Grant provider accounts to the Client with `PUT /v1/tenants/{tenant_id}/entitlements`, and create the first user with `POST /v1/tenants/{tenant_id}/users`. If you receive no response, retry with the same `X-Idempotency-Key` within 24 hours. You then get the first response, and no second tenant is created. Without the header, a retry creates another tenant.',
      },
    })
    .input(createTenantInput)
    .output(tenantView)
    .mutation(async ({ ctx, input: { parent_id: parentId, ...wanted } }) =>
      viewTenant(await createTenant(ctx.app, ctx.caller, { ...wanted, parentId })),
    ),

  get: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}',
        operationId: 'getTenant',
        tags: ['Tenants'],
        summary: 'Get a tenant',
        description: "Returns the caller's own tenant, or a tenant that the caller manages.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(tenantView)
    .query(async ({ ctx, input }) =>
      viewTenant(await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)),
    ),

  update: userProcedure({ permission: 'admin', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/tenants/{tenant_id}',
        operationId: 'updateTenant',
        tags: ['Tenants'],
        summary: 'Change a tenant',
        description:
          'Changes the given fields of a tenant; omitted fields keep their values. If you suspend a tenant, its API keys and users are rejected within one second, but its existing payments can still be paid. If the Owner suspended a tenant, only the Owner can reactivate it. Only the Owner can change the tier. The request is safe to retry.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(tenantPath.extend(updateTenantInput.shape))
    .output(tenantView)
    .mutation(async ({ ctx, input: { tenant_id, ...changes } }) =>
      viewTenant(await updateTenant(ctx.app, ctx.caller, tenant_id, changes)),
    ),

  account: userProcedure({ permission: 'self' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account',
        operationId: 'getAccount',
        tags: ['Account'],
        summary: 'Get the account',
        description:
          "Returns the tenant and the user that the access token belongs to. Use the tenant's ID in paths with `{tenant_id}`.",
      },
    })
    .input(z.object({}))
    .output(
      tenantView
        .extend({
          partner_name: z.string().nullable().meta({
            description: 'Name of the Partner that manages this tenant; null if none does',
            example: 'Demonstration partner',
          }),
          user: userView,
          ...securityFields,
          has_second_factor: z.boolean().meta({ description: 'Whether the user has set up a second factor' }),
        })
        .meta({ id: 'Account', description: 'The tenant of the access token, and its user' }),
    )
    .query(async ({ ctx }) => {
      const { tenantId, userId, sessionId } = ctx.caller
      const [tenant, partnerName, user, session] = await Promise.all([
        findTenant(ctx.app.db, tenantId),
        findPartnerName(ctx.app.db, tenantId),
        findUser(ctx.app.db, tenantId, userId),
        // Reads the session from the database, because the cached session may be up to a second old. Users who have
        // just added a second factor must see the change.
        ctx.app.readSession(sessionId),
      ])
      // If the user was deleted after the access token was signed, the token is no longer valid.
      if (!tenant || !user) throw fault('access_token_invalid')
      return {
        ...viewTenant(tenant),
        partner_name: partnerName ?? null,
        user: viewUser(user),
        second_factor_required: tenant.secondFactorRequired,
        refund_proof_above: toJsonNumber(tenant.refundProofAbove),
        has_second_factor: session?.hasSecondFactor ?? false,
      }
    }),
})
