import { z } from 'zod'
import { afterId, type PageInput, pageInput, pageOf, toPage } from '../../api/page.ts'
import { router, userProcedure } from '../../api/trpc.ts'
import type { App } from '../../app.ts'
import { tenantPath } from '../../tenants/tenant-view.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { createApiKey } from './create-api-key.ts'
import { createSessionKey } from './create-session-key.ts'
import { listApiKeys } from './key.sql.ts'
import { createApiKeyInput, rotateApiKeyInput, updateApiKeyInput } from './key-input.ts'
import { apiKeyView, newApiKeyView, viewApiKey, viewNewApiKey } from './key-view.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { updateApiKey } from './update-api-key.ts'

const apiKeyPage = pageOf(apiKeyView, 'ApiKeyPage')

/**
 * The schema also accepts an ID that is not a UUID. The response for such an ID is 404 instead of 400, because no API
 * key has this ID.
 */
const keyPath = tenantPath.extend({
  key_id: z
    .string()
    .meta({ description: 'UUID of the API key', example: '01990000-0000-7000-8000-000000000013' }),
})

export const keyRouter = router({
  list: userProcedure({ permission: 'developer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/api-keys',
        operationId: 'listApiKeys',
        tags: ['API keys'],
        summary: "List a tenant's API keys",
        description:
          "Lists a tenant's API keys, newest first, including keys that no longer work. Each API key shows when it was last used.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(pageInput.shape))
    .output(apiKeyPage)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return pageOfKeys(ctx.app, id, input)
    }),

  create: userProcedure({ permission: 'developer', stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants/{tenant_id}/api-keys',
        operationId: 'createApiKey',
        tags: ['API keys'],
        summary: 'Create an API key',
        description:
          "Creates an API key for the caller's own tenant or for a tenant that the caller manages. Only this response contains the key. A key without scopes can call every operation that accepts API keys. Only users with the permission `finance` or `admin` can create such a key, or a key with the scope `refunds` or `payouts`. If you receive no response, retry with the same `X-Idempotency-Key` within 24 hours. You then get the first response instead of a second key. A retry without the header creates another key.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(createApiKeyInput.shape))
    .output(newApiKeyView)
    .mutation(async ({ ctx, input: { tenant_id, allowed_ips: allowedIps, ...wanted } }) =>
      viewNewApiKey(await createApiKey(ctx.app, ctx.caller, tenant_id, { ...wanted, allowedIps })),
    ),

  update: userProcedure({ permission: 'developer', stepUp: true })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/tenants/{tenant_id}/api-keys/{key_id}',
        operationId: 'updateApiKey',
        tags: ['API keys'],
        summary: 'Change an API key',
        description:
          "Changes an API key's scopes or allowed addresses. Omitted fields keep their values. The change takes effect within one second. Only a user with the permission `finance` or `admin` can add the scope `refunds` or `payouts`, or remove the key's restriction to certain scopes.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(keyPath.extend(updateApiKeyInput.shape))
    .output(apiKeyView)
    .mutation(async ({ ctx, input: { tenant_id: tenantId, key_id: id, scopes, allowed_ips: allowedIps } }) =>
      viewApiKey(await updateApiKey(ctx.app, ctx.caller, { tenantId, id }, { scopes, allowedIps })),
    ),

  // This procedure is available only over tRPC, because only the dashboard needs it. It returns the API key that
  // the dashboard uses to create test payments.
  createForSession: userProcedure({ permission: 'developer', roles: ['client'] })
    .output(z.strictObject({ key: z.string(), expires_in: z.int() }))
    .mutation(async ({ ctx }) => {
      const { key, seconds } = await createSessionKey(ctx.app, ctx.caller)
      return { key, expires_in: seconds }
    }),

  revoke: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/tenants/{tenant_id}/api-keys/{key_id}',
        operationId: 'revokeApiKey',
        tags: ['API keys'],
        summary: 'Revoke an API key',
        description:
          'Permanently revokes an API key within one second. The revoked key stays in the list of API keys. Revoking it again changes nothing.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(keyPath)
    .output(apiKeyView)
    .mutation(async ({ ctx, input }) =>
      viewApiKey(await revokeApiKey(ctx.app, ctx.caller, input.tenant_id, input.key_id)),
    ),

  rotate: userProcedure({ permission: 'developer', stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants/{tenant_id}/api-keys/{key_id}/rotate',
        operationId: 'rotateApiKey',
        tags: ['API keys'],
        summary: 'Rotate an API key',
        description:
          'Replaces an API key with a new key that has the same name, mode, scopes and allowed addresses. The old key works for another `grace_minutes` minutes. If `grace_minutes` is 0, the old key stops working within one second. A key can be rotated only once. Only a user with the permission `finance` or `admin` can rotate a key with the scope `refunds` or `payouts`, or a key without scopes. To stop the old key earlier, revoke it.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(keyPath.extend(rotateApiKeyInput.shape))
    .output(newApiKeyView)
    .mutation(async ({ ctx, input }) => {
      const rotation = { id: input.key_id, graceMinutes: input.grace_minutes }
      return viewNewApiKey(await rotateApiKey(ctx.app, ctx.caller, input.tenant_id, rotation))
    }),

  listOwn: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/api-keys',
        operationId: 'listOwnApiKeys',
        tags: ['Account'],
        summary: 'List your API keys',
        description:
          "Lists your tenant's API keys, newest first, including keys that no longer work. A key's secret value is never returned.",
      },
    })
    .input(pageInput)
    .output(apiKeyPage)
    .query(({ ctx, input }) => pageOfKeys(ctx.app, ctx.caller.tenantId, input)),
})

const pageOfKeys = async (app: App, tenantId: string, input: PageInput) =>
  toPage(await listApiKeys(app.db, tenantId, afterId(input), input.limit + 1), input, viewApiKey)
