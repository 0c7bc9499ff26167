// The procedures with which logged-in users manage their own second factors. They run without a tenant scope
// (db/tenant-scope.ts), because the database role used in a tenant scope must not read second factors.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { router, userProcedure } from '../../api/trpc.ts'
import { inScope } from '../../db/tenant-scope.ts'
import { confirmWithCode, confirmWithPasskey } from './confirm-session.ts'
import { finishPasskey, startPasskey } from './enrol-passkey.ts'
import { confirmTotp, startTotp } from './enrol-totp.ts'
import { listPasskeys } from './passkey.sql.ts'
import { passkeyConfirmOptions } from './passkey-options.ts'
import { createRecoveryCodes, removePasskey, removeTotp } from './remove-factor.ts'
import { findFactors } from './second-factor.sql.ts'
import {
  codeInput,
  confirmTotpInput,
  firstFactorInput,
  passkeyName,
  securityInput,
  securityView,
  signedInput,
} from './second-factor-input.ts'
import { setSecurity } from './set-security.ts'

const recoveryCodes = z.array(z.string()).meta({
  description:
    'Ten recovery codes. Each code can be used once instead of the second factor. The codes are returned only once',
  example: ['k7m2p-x4w9q'],
})

const enrolled = z
  .strictObject({
    recovery_codes: recoveryCodes.nullable().meta({
      description:
        "Ten recovery codes if this is the user's first factor, otherwise null. They are returned only once",
    }),
  })
  .meta({ id: 'EnrolledFactor', description: 'The result of adding a second factor' })

const secondFactorView = z
  .strictObject({
    is_required: z.boolean().meta({ description: 'Whether the tenant requires a second factor' }),
    has_totp: z.boolean().meta({ description: 'Whether an authenticator app is enabled' }),
    passkeys: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string().meta({ example: 'Laptop' }),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable(),
      }),
    ),
    recovery_codes_left: z.int().meta({ description: 'Number of unused recovery codes', example: 10 }),
  })
  .meta({ id: 'SecondFactor', description: 'The second factors of a user' })

const operation = { tags: ['Second factor'] }
const base = '/v1/account/second-factor'
/** The tRPC builder for API procedures that concern only the caller's own second factors. */
const ownProcedure = userProcedure({ permission: 'self' })
/**
 * The base for procedures that change second factors. A user with a second factor must confirm it first, so that a
 * thief of the session cannot replace the factor. A user without a second factor must enter the password to add the
 * first one, except shortly after a login (require-password.ts).
 */
const provenProcedure = userProcedure({ permission: 'self', stepUp: true })
const ignoresKey = 'second factor' as const

export const secondFactorRouter = router({
  get: ownProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'GET',
        path: base,
        operationId: 'getSecondFactor',
        summary: 'Get your second factors',
        description: "Returns the logged-in user's second factors, without secrets.",
      },
    })
    .input(z.object({}))
    .output(secondFactorView)
    .query(({ ctx }) =>
      inScope(undefined, async () => {
        const { userId, tenantId } = ctx.caller
        const [factors, passkeys, tenant] = await Promise.all([
          findFactors(ctx.app.db, userId),
          listPasskeys(ctx.app.db, userId),
          ctx.app.tenantOf(tenantId),
        ])
        return {
          is_required: tenant?.secondFactorRequired ?? false,
          has_totp: factors.hasTotp,
          passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
            id,
            name,
            created_at: createdAt.toISOString(),
            last_used_at: lastUsedAt?.toISOString() ?? null,
          })),
          recovery_codes_left: factors.recoveryCodes,
        }
      }),
    ),

  startTotp: provenProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'POST',
        path: `${base}/totp`,
        operationId: 'startTotp',
        summary: 'Start setting up an authenticator app',
        description:
          'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Show `uri` as a QR code. The secret takes effect when you confirm it with a code through `POST /v1/account/second-factor/totp/confirm`.',
      },
      ignoresKey,
      errors: ['CONFLICT'],
    })
    .output(
      z
        .strictObject({
          secret: z.string().meta({
            description: 'The secret in base32, for apps without a camera',
            example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          }),
          uri: z.string().meta({
            description: 'The `otpauth://` URI for a QR code',
            example:
              'otpauth://totp/Gapura:budi%40example.com?issuer=Gapura&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
          }),
        })
        .meta({ id: 'TotpSecret', description: 'The secret for an authenticator app' }),
    )
    .mutation(({ ctx }) => inScope(undefined, () => startTotp(ctx.app, ctx.caller))),

  confirmTotp: provenProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'POST',
        path: `${base}/totp/confirm`,
        operationId: 'confirmTotp',
        summary: 'Enable an authenticator app',
        description:
          'Enables the authenticator app if the code from the app is correct. From then on, a login needs a second factor. If the app is the first factor of the user, the response contains ten recovery codes, and all other sessions of the user end.\n\nFor the first factor, send `current_password`, so that someone with a stolen session cannot add a factor. You may omit the password within 15 minutes after the login. A wrong password, or a missing one after that time, returns 400. Like wrong passwords at login, wrong passwords and wrong codes delay further attempts.',
      },
      ignoresKey,
      errors: ['CONFLICT'],
    })
    .input(confirmTotpInput)
    .output(enrolled)
    .mutation(({ ctx, input }) =>
      inScope(undefined, async () => ({
        recovery_codes: await confirmTotp(ctx.app, ctx.caller, {
          code: input.code,
          currentPassword: input.current_password,
          source: ctx.source(),
          client: ctx.client,
        }),
      })),
    ),

  removeTotp: provenProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'DELETE',
        path: `${base}/totp`,
        operationId: 'removeTotp',
        summary: 'Disable the authenticator app',
        description:
          "Disables the logged-in user's authenticator app. If the app is the user's last factor, the recovery codes stop working too. If the tenant requires a second factor, the last factor cannot be removed: the response is 409.",
      },
      errors: ['CONFLICT'],
    })
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx }) => {
      await inScope(undefined, () => removeTotp(ctx.app, ctx.caller, ctx.client))
      return { removed: true as const }
    }),

  renewRecoveryCodes: provenProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'POST',
        path: `${base}/recovery-codes`,
        operationId: 'renewRecoveryCodes',
        summary: 'Create new recovery codes',
        description: 'Creates ten new recovery codes. The earlier codes stop working.',
      },
      ignoresKey,
      errors: ['CONFLICT'],
    })
    .output(
      z
        .strictObject({ recovery_codes: recoveryCodes })
        .meta({ id: 'RecoveryCodes', description: 'New recovery codes' }),
    )
    .mutation(({ ctx }) =>
      inScope(undefined, async () => ({
        recovery_codes: await createRecoveryCodes(ctx.app, ctx.caller, ctx.client),
      })),
    ),

  confirm: ownProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'POST',
        path: `${base}/confirm`,
        operationId: 'confirmSecondFactor',
        summary: 'Confirm your second factor again',
        description:
          'Confirms the session with a code from the authenticator app or a recovery code. Operations that move money or rotate keys require a confirmation in the last 15 minutes. Without this confirmation, these operations return 401 `OTP_REQUIRED`: confirm the session, then repeat the operation. Like wrong passwords, wrong codes delay further attempts.',
      },
      ignoresKey,
    })
    .input(codeInput)
    .output(z.strictObject({ confirmed: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const given = { code: input.code, source: ctx.source(), client: ctx.client }
      await inScope(undefined, () => confirmWithCode(ctx.app, ctx.caller, given))
      return { confirmed: true as const }
    }),

  removePasskey: provenProcedure
    .meta({
      openapi: {
        ...operation,
        method: 'DELETE',
        path: `${base}/passkeys/{passkey_id}`,
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        description:
          "Removes one of the logged-in user's passkeys. If the tenant requires a second factor and the passkey is the user's last factor, the response is 409.",
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(
      z.object({
        passkey_id: z
          .string()
          .meta({ description: 'UUID of the passkey', example: '01990000-0000-7000-8000-000000000019' }),
      }),
    )
    .output(z.strictObject({ removed: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const passkey = { id: input.passkey_id, client: ctx.client }
      await inScope(undefined, () => removePasskey(ctx.app, ctx.caller, passkey))
      return { removed: true as const }
    }),

  require: userProcedure({ permission: 'admin', stepUp: true })
    .meta({
      openapi: {
        ...operation,
        method: 'PUT',
        path: '/v1/account/security',
        operationId: 'setSecurity',
        summary: 'Change the security settings',
        description:
          'Changes the given security settings of your tenant; omitted settings keep their values. With `second_factor_required`, every user of your tenant needs a second factor. A user without a second factor can log in only to add one. You can turn this on only if you have a second factor yourself. `refund_proof_above` is the amount above which a refund by a user requires a recently confirmed second factor. By default, it is Rp 1,000,000.',
      },
      errors: ['CONFLICT'],
    })
    .input(securityInput)
    .output(securityView)
    .mutation(({ ctx, input }) => inScope(undefined, () => setSecurity(ctx.app, ctx.caller, input))),

  // These procedures exist only over tRPC, not over REST, because passkeys work only in a browser and on the
  // dashboard's host.
  startPasskey: provenProcedure
    .input(firstFactorInput)
    .output(z.strictObject({ challenge: z.string(), options: z.any() }))
    .mutation(({ ctx, input }) => {
      const entered = { currentPassword: input.current_password, source: ctx.source() }
      return inScope(undefined, () => startPasskey(ctx.app, ctx.caller, entered))
    }),

  finishPasskey: provenProcedure
    .input(signedInput<RegistrationResponseJSON>().extend({ name: passkeyName }))
    .output(enrolled)
    .mutation(({ ctx, input }) =>
      inScope(undefined, async () => ({
        recovery_codes: await finishPasskey(ctx.app, ctx.caller, input, ctx.client),
      })),
    ),

  passkeyOptions: ownProcedure
    .output(z.strictObject({ challenge: z.string(), options: z.any() }))
    .mutation(({ ctx }) => inScope(undefined, () => passkeyConfirmOptions(ctx.app, ctx.caller.userId))),

  confirmPasskey: ownProcedure
    .input(signedInput<AuthenticationResponseJSON>())
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inScope(undefined, () => confirmWithPasskey(ctx.app, ctx.caller, input))
      return null
    }),
})
