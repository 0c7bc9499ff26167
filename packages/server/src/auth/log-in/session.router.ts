// The dashboard's login, which is available only over tRPC. It works like POST /v1/auth/*, but returns the refresh
// token only in an HttpOnly cookie.

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Context } from '../../api/context.ts'
import { loginProcedure, publicProcedure, router } from '../../api/trpc.ts'
import { GatewayError } from '../../faults/errors.ts'
import { requestPasswordReset } from '../passwords/request-password-reset.ts'
import { completeLogin } from '../second-factor/complete-login.ts'
import { passkeyLoginOptions } from '../second-factor/passkey-options.ts'
import { challengeInput, completeLoginInput, signedInput } from '../second-factor/second-factor-input.ts'
import { forgottenPasswordInput, loginInput } from '../users/user-input.ts'
import type { IssuedTokens } from './issue-tokens.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { refreshSession } from './refresh-session.ts'

const sessionView = z.strictObject({
  access_token: z.string(),
  expires_in: z.int().meta({ description: 'Seconds' }),
  sandbox_url: z
    .string()
    .nullable()
    .meta({ description: 'URL at which payments in test mode can be paid, or null if there is no such URL' }),
})

export const sessionRouter = router({
  open: loginProcedure
    .input(loginInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      const login = await logIn(ctx.app, {
        ...input,
        source: ctx.source(),
        deviceTokens: ctx.device?.read(),
        client: ctx.client,
      })
      const session = keep(ctx, login)
      ctx.device?.keep(login.device)
      return session
    }),

  /** Finishes a login with a code from the authenticator app or a recovery code. */
  complete: publicProcedure
    .input(completeLoginInput)
    .output(sessionView)
    .mutation(({ ctx, input: { challenge, code } }) => complete(ctx, challenge, { code })),

  /** Returns the WebAuthn options with which the browser requests a passkey signature. */
  passkeyOptions: publicProcedure
    .input(challengeInput)
    .output(z.any())
    .mutation(({ ctx, input }) => passkeyLoginOptions(ctx.app, input.challenge)),

  /** Finishes a login with a passkey signature. */
  completeWithPasskey: publicProcedure
    .input(signedInput<AuthenticationResponseJSON>())
    .output(sessionView)
    .mutation(({ ctx, input: { challenge, response } }) => complete(ctx, challenge, { passkey: response })),

  /** Renews the access token. Returns null if no user is logged in, which is not an error. */
  renew: publicProcedure.output(sessionView.nullable()).mutation(async ({ ctx }) => {
    const token = cookieOf(ctx).read()
    if (!token) return null
    try {
      return keep(ctx, await refreshSession(ctx.app, token, ctx))
    } catch (error) {
      // Only an invalid refresh token clears the cookie. A suspended tenant's user keeps the cookie, because the
      // session continues once the tenant is active again.
      if (!(error instanceof GatewayError) || error.code !== 'UNAUTHORIZED') throw error
      cookieOf(ctx).clear()
      return null
    }
  }),

  /**
   * Works like POST /v1/auth/password-reset/request, but needs no tenant ID, because dashboard users do not know
   * their tenant's ID.
   */
  requestPasswordReset: publicProcedure
    .input(forgottenPasswordInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx.app, { tenantId: null, email: input.email, source: ctx.source() })
      return null
    }),

  close: publicProcedure.output(z.null()).mutation(async ({ ctx }) => {
    const cookie = cookieOf(ctx)
    const token = cookie.read()
    // The cookie is deleted even if ending the session fails. Otherwise, the next user of this computer would be logged
    // in as this user.
    cookie.clear()
    if (token) await logOut(ctx.app, token)
    return null
  }),
})

async function complete(
  ctx: Context,
  challenge: string,
  proof: Parameters<typeof completeLogin>[1]['proof'],
): Promise<z.output<typeof sessionView>> {
  const { app, client, device } = ctx
  const login = await completeLogin(app, {
    challenge,
    proof,
    source: ctx.source(),
    client,
    deviceTokens: device?.read(),
  })
  const session = keep(ctx, login)
  device?.keep(login.device)
  return session
}

function keep(ctx: Context, login: IssuedTokens): z.output<typeof sessionView> {
  cookieOf(ctx).keep(login.refreshToken)
  return {
    access_token: login.accessToken,
    expires_in: login.expiresIn,
    sandbox_url: ctx.app.sandboxUrl ?? null,
  }
}

function cookieOf(ctx: Context) {
  if (!ctx.session) throw new Error('a dashboard login is available only over tRPC')
  return ctx.session
}
