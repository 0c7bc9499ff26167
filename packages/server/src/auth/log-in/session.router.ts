// The dashboard's log-in, which is available only over tRPC. It works like POST /v1/auth/*, but returns the refresh
// token in an HttpOnly cookie and never in a response body.

import { z } from 'zod'
import type { Context } from '../../api/context.ts'
import { publicProcedure, router } from '../../api/trpc.ts'
import { GatewayError } from '../../faults/errors.ts'
import { loginInput } from '../users/user-input.ts'
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
    .meta({ description: 'Where payments in test mode are paid, if there is one' }),
})

export const sessionRouter = router({
  open: publicProcedure
    .input(loginInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      const login = await logIn(ctx.app, { ...input, source: ctx.source(), device: ctx.device?.read() })
      const session = keep(ctx, login)
      ctx.device?.keep(login.device)
      return session
    }),

  /** Renews the access token. Returns null if no user is logged in, which is not an error. */
  renew: publicProcedure.output(sessionView.nullable()).mutation(async ({ ctx }) => {
    const token = cookieOf(ctx).read()
    if (!token) return null
    try {
      return keep(ctx, await refreshSession(ctx.app, token))
    } catch (error) {
      // The cookie of a suspended tenant's user is not cleared: the session continues once the tenant is active again.
      if (!(error instanceof GatewayError) || error.code !== 'UNAUTHORIZED') throw error
      cookieOf(ctx).clear()
      return null
    }
  }),

  close: publicProcedure.output(z.null()).mutation(async ({ ctx }) => {
    const token = cookieOf(ctx).read()
    if (token) await logOut(ctx.app, token)
    cookieOf(ctx).clear()
    return null
  }),
})

function keep(ctx: Context, login: IssuedTokens): z.output<typeof sessionView> {
  cookieOf(ctx).keep(login.refreshToken)
  return {
    access_token: login.accessToken,
    expires_in: login.expiresIn,
    sandbox_url: ctx.app.sandboxUrl ?? null,
  }
}

function cookieOf(ctx: Context) {
  if (!ctx.session) throw new Error('a session is opened over tRPC alone')
  return ctx.session
}
