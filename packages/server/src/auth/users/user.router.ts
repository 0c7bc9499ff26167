import { z } from 'zod'
import { afterId, type PageInput, pageInput, pageOf, toPage } from '../../api/page.ts'
import { router, userProcedure } from '../../api/trpc.ts'
import type { App } from '../../app.ts'
import { inScope } from '../../db/tenant-scope.ts'
import { tenantPath } from '../../tenants/tenant-view.ts'
import { getVisibleTenant } from '../../tenants/visible-tenant.ts'
import { changePassword } from '../passwords/change-password.ts'
import { resetSecondFactor } from '../second-factor/remove-factor.ts'
import { getTeamMember } from '../team/get-team-member.ts'
import { resendInvitation } from '../team/resend-invitation.ts'
import { updateUser } from '../team/update-user.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './user.sql.ts'
import { changePasswordInput, createUserInput, updateUserInput } from './user-input.ts'
import { userView, viewUser } from './user-view.ts'

/** The schema also accepts IDs that are not UUIDs. No user has such an ID, so the response is 404 instead of 400. */
const userPath = tenantPath.extend({
  user_id: z
    .string()
    .meta({ description: 'UUID of the user', example: '01990000-0000-7000-8000-000000000011' }),
})

const userPage = pageOf(userView, 'UserPage')

export const userRouter = router({
  list: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/users',
        operationId: 'listUsers',
        tags: ['Users'],
        summary: "List a tenant's users",
        description: "Lists the tenant's users, newest first.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(pageInput.shape))
    .output(userPage)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return pageOfUsers(ctx.app, id, input)
    }),

  create: userProcedure({ permission: 'admin', stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants/{tenant_id}/users',
        operationId: 'createUser',
        tags: ['Users'],
        summary: 'Create a user',
        description:
          "Creates a user for the caller's own tenant or a tenant that the caller manages. With `password`, the user can log in immediately. Without `password`, the service emails an invitation with a link for setting a password. The link works once and expires after seven days. Within 30 minutes, an email address can get at most three invitations to the same tenant. In the same time, a Partner or Client can send at most three invitations to the same email address and 50 in total. A Partner and all its Clients together can send at most ten invitations to the same email address and 500 in total. If one of these limits is reached, the response is 429. An email address, ignoring case, can belong to only one user across all tenants. If the address already belongs to a user, the response is 409.",
      },
      // Hashing in the transaction of the idempotency key would hold a database connection while the password waits.
      storesResponseLater: 'hashes a password',
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(tenantPath.extend(createUserInput.shape))
    .output(userView)
    .mutation(async ({ ctx, input: { tenant_id, ...wanted } }) =>
      viewUser(await createUser(ctx.app, ctx.caller, tenant_id, wanted)),
    ),

  update: userProcedure({ permission: 'admin', stepUp: true })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/tenants/{tenant_id}/users/{user_id}',
        operationId: 'updateUser',
        tags: ['Users'],
        summary: 'Change a user',
        description:
          "Changes the permissions or the status of a user in the caller's own tenant or a tenant that the caller manages. New permissions apply within one second, even in open sessions. Disabling a user ends all of the user's sessions. If the change would leave the tenant without an active admin, the response is 409.",
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(userPath.extend(updateUserInput.shape))
    .output(userView)
    .mutation(async ({ ctx, input: { tenant_id: tenantId, user_id: id, ...changes } }) =>
      // `updateUser` also ends the user's sessions. The database role of the tenant's scope
      // (db/tenant-scope.ts) has no right to do this, so `updateUser` runs outside the scope.
      viewUser(await inScope(undefined, () => updateUser(ctx.app, ctx.caller, { tenantId, id }, changes))),
    ),

  remove: userProcedure({ permission: 'admin', stepUp: true })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/tenants/{tenant_id}/users/{user_id}',
        operationId: 'removeUser',
        tags: ['Users'],
        summary: 'Remove a user',
        description:
          "Removes a user or an invitation. All of the user's sessions end. The email address can be used for another user. The audit log keeps the user's entries. A tenant's last active admin cannot be removed (409).",
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(userPath)
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx, input: { tenant_id: tenantId, user_id: id } }) => {
      await inScope(undefined, () => updateUser(ctx.app, ctx.caller, { tenantId, id }, { status: 'removed' }))
      return { removed: true as const }
    }),

  resendInvitation: userProcedure({ permission: 'admin' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tenants/{tenant_id}/users/{user_id}/resend-invitation',
        operationId: 'resendInvitation',
        tags: ['Users'],
        summary: 'Resend an invitation',
        description:
          'Emails a new invitation to a user who has not accepted one yet. The link in the earlier email stops working. These limits apply within 30 minutes. An email address gets up to three invitations to the same tenant, including the first one. A Partner or Client sends up to three invitations to the same email address, and up to 50 in total. A Partner and all its Clients together send up to ten invitations to the same email address, and up to 500 in total. Above a limit, the response is 429.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(userPath)
    .output(userView)
    .mutation(async ({ ctx, input: { tenant_id: tenantId, user_id: id } }) =>
      viewUser(await resendInvitation(ctx.app, ctx.caller, { tenantId, id })),
    ),

  resetSecondFactor: userProcedure({ permission: 'admin', stepUp: true })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/tenants/{tenant_id}/users/{user_id}/second-factor',
        operationId: 'resetSecondFactor',
        tags: ['Users'],
        summary: "Reset a user's second factor",
        description:
          'Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them, and ends all sessions of the user. The next login needs only the password, so first make sure that the request comes from the user.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(userPath)
    .output(z.strictObject({ reset: z.literal(true) }))
    .mutation(async ({ ctx, input: { tenant_id: tenantId, user_id: id } }) => {
      const user = await getTeamMember(ctx.app, ctx.caller, { tenantId, id })
      // This procedure runs outside the tenant's database scope (db/tenant-scope.ts), because the database role
      // used in the scope has no right to delete second factors.
      await inScope(undefined, () => resetSecondFactor(ctx.app, ctx.caller, { tenantId, userId: user.id }))
      return { reset: true as const }
    }),

  listOwn: userProcedure({ permission: 'viewer' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/users',
        operationId: 'listOwnUsers',
        tags: ['Account'],
        summary: 'List your users',
        description: "Lists your tenant's users, including you, newest first.",
      },
    })
    .input(pageInput)
    .output(userPage)
    .query(({ ctx, input }) => pageOfUsers(ctx.app, ctx.caller.tenantId, input)),

  changePassword: userProcedure({ permission: 'self' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/password',
        operationId: 'changePassword',
        tags: ['Account'],
        summary: 'Change your password',
        description:
          "Changes the logged-in user's password. All of the user's other sessions end, and unused password-reset tokens become invalid. The current session continues. Access tokens of the ended sessions are rejected within one second. A wrong `current_password` returns 400. After ten wrong passwords in a row, further attempts in this session are delayed. During the delay, the response is 429 with `Retry-After`.",
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
        client: ctx.client,
      }
      // A password change runs without a tenant scope (db/tenant-scope.ts), as a login does. In a scope, the
      // database role must not read password hashes or end sessions.
      ctx.device?.keep(await inScope(undefined, () => changePassword(ctx.app, ctx.caller, change)))
      return { changed: true as const }
    }),
})

const pageOfUsers = async (app: App, tenantId: string, input: PageInput) =>
  toPage(await listUsers(app.db, tenantId, afterId(input), input.limit + 1), input, viewUser)
