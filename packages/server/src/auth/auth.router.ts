import { z } from 'zod'
import { publicProcedure, router } from '../api/trpc.ts'
import { confirmPasswordReset } from './confirm-password-reset.ts'
import type { Login } from './issue-login.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { refreshSession } from './refresh-session.ts'
import { requestPasswordReset } from './request-password-reset.ts'
import { confirmPasswordResetInput, loginInput, requestPasswordResetInput } from './user-input.ts'

const loginView = z
  .strictObject({
    access_token: z
      .string()
      .meta({ description: 'JWT (RS256); send it as `Authorization: Bearer <access_token>`' }),
    refresh_token: z.string().meta({ description: 'For POST /v1/auth/refresh, once' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds', example: 900 }),
  })
  .meta({ id: 'Login' })

const refreshToken = z
  .string()
  .min(1, 'must not be empty')
  .max(255)
  .meta({ description: 'As log-in or the last refresh gave it', example: 'gp_refresh_Zm9v' })

const operation = { method: 'POST' as const, tags: ['Authentication'] }

export const authRouter = router({
  login: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/login',
        operationId: 'login',
        summary: 'Log in',
        description:
          'Exchanges e-mail address and password of a user for an access token of 15 minutes and a refresh token of 30 days. Send the access token as `Authorization: Bearer <access_token>`, and renew it with `POST /v1/auth/refresh` before it ends. After ten wrong passwords in a row, each further attempt has to wait: a second at first, twice as long after each failure, up to 15 minutes, or an hour from an IP address that fails at many accounts. Until then the response is 429 with `Retry-After`, whether or not the password is right. The response sets the cookie `gapura_device` (`__Host-gapura_device` over HTTPS). Log-ins that send it are not delayed by failures elsewhere.',
      },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(loginInput)
    .output(loginView)
    .mutation(async ({ ctx, input }) => {
      const login = await logIn(ctx.app, { ...input, source: ctx.source(), device: ctx.device?.read() })
      ctx.device?.keep(login.device)
      return viewLogin(login)
    }),

  refresh: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/refresh',
        operationId: 'refresh',
        summary: 'Renew the access token',
        description:
          'Takes a refresh token and answers like log-in, with the next refresh token: keep that one. The one sent is spent: for ten seconds it is answered once more, with a token that works; after that its use ends the whole session, since one of its two users is not the one who logged in.',
      },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(z.object({ refresh_token: refreshToken }))
    .output(loginView)
    .mutation(async ({ ctx, input }) => viewLogin(await refreshSession(ctx.app, input.refresh_token))),

  logout: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/logout',
        operationId: 'logout',
        summary: 'Log out',
        description:
          'Ends the session of the refresh token; an unknown one is answered alike, so it can be repeated. Its access tokens are refused within a second.',
      },
    })
    .input(z.object({ refresh_token: refreshToken }))
    .output(z.strictObject({ logged_out: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await logOut(ctx.app, input.refresh_token)
      return { logged_out: true as const }
    }),

  requestPasswordReset: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/password-reset/request',
        operationId: 'requestPasswordReset',
        summary: 'Ask for a new password',
        description:
          'Mails a token to the address, if it is of a user of that tenant; `POST /v1/auth/password-reset/confirm` takes it. The answer is the same in any case, and takes as long.',
      },
    })
    .input(requestPasswordResetInput)
    .output(z.strictObject({ requested: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx.app, { tenantId: input.tenant_id, email: input.email })
      return { requested: true as const }
    }),

  confirmPasswordReset: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/password-reset/confirm',
        operationId: 'confirmPasswordReset',
        summary: 'Set the new password',
        description:
          'With the token from the mail, which works once and for 30 minutes. Ends every session of the user: log in with the new password.',
      },
    })
    .input(confirmPasswordResetInput)
    .output(z.strictObject({ reset: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const { token, new_password: newPassword } = input
      ctx.device?.keep(await confirmPasswordReset(ctx.app, { token, newPassword, source: ctx.source() }))
      return { reset: true as const }
    }),
})

const viewLogin = (login: Login): z.output<typeof loginView> => ({
  access_token: login.accessToken,
  refresh_token: login.refreshToken,
  token_type: 'Bearer',
  expires_in: login.expiresIn,
})
