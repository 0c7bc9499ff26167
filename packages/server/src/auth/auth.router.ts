import { z } from 'zod'
import { loginProcedure, publicProcedure, router } from '../api/trpc.ts'
import type { IssuedTokens } from './log-in/issue-tokens.ts'
import { logIn } from './log-in/log-in.ts'
import { logOut } from './log-in/log-out.ts'
import { refreshSession } from './log-in/refresh-session.ts'
import { confirmPasswordReset } from './passwords/confirm-password-reset.ts'
import { requestPasswordReset } from './passwords/request-password-reset.ts'
import { completeLogin } from './second-factor/complete-login.ts'
import { completeLoginInput } from './second-factor/second-factor-input.ts'
import { acceptInvitation } from './team/accept-invitation.ts'
import {
  acceptInvitationInput,
  confirmPasswordResetInput,
  loginInput,
  requestPasswordResetInput,
} from './users/user-input.ts'

const loginView = z
  .strictObject({
    access_token: z
      .string()
      .meta({ description: 'JWT (RS256). Send it as `Authorization: Bearer <access_token>`' }),
    refresh_token: z
      .string()
      .meta({ description: 'Token for `POST /v1/auth/refresh`. Each refresh token works only once' }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .meta({ description: 'Number of seconds until the access token expires', example: 900 }),
  })
  .meta({ id: 'Login', description: 'The tokens of a session' })

const refreshToken = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .meta({ description: 'The refresh token from the login or the last refresh', example: 'gp_refresh_Zm9v' })

const operation = { method: 'POST' as const, tags: ['Authentication'] }

export const authRouter = router({
  login: loginProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/login',
        operationId: 'login',
        summary: 'Log in',
        description:
          "Exchanges a user's email address and password for an access token (valid for 15 minutes) and a refresh token (valid for 30 days). Send the access token as `Authorization: Bearer <access_token>`, and renew it with `POST /v1/auth/refresh` before it expires.\n\nAfter ten wrong passwords in a row, each further attempt is delayed. The delay starts at one second and doubles after each failure, up to 15 minutes. For an IP address that fails with many accounts, the maximum is one hour. During the delay, every attempt returns 429 with `Retry-After`, even if the password is correct.\n\nThe response sets the cookie `gapura_device` (`__Host-gapura_device` over HTTPS). Logins that send this cookie are not delayed by failed attempts from other devices.\n\nIf the user has a second factor, the response is 401 with the code `OTP_REQUIRED`. The error has a `challenge`, which is valid for five minutes, and the `methods` that the user can use. Send the challenge with a code to `POST /v1/auth/login/otp`.",
      },
      errors: ['OTP_REQUIRED', 'UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(loginInput)
    .output(loginView)
    .mutation(async ({ ctx, input }) => {
      const login = await logIn(ctx.app, {
        ...input,
        source: ctx.source(),
        deviceTokens: ctx.device?.read(),
        client: ctx.client,
      })
      ctx.device?.keep(login.device)
      return viewLogin(login)
    }),

  completeLogin: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/login/otp',
        operationId: 'completeLogin',
        summary: 'Finish a login with a second factor',
        description:
          'Finishes a login that returned 401 `OTP_REQUIRED`. Send its `challenge` with a code from the authenticator app or a recovery code. Each code works once. A wrong code returns 401 `UNAUTHORIZED`; you can use the challenge again until it expires after five minutes. Like wrong passwords, wrong codes delay further attempts. During the delay, the response is 429 with `Retry-After`.',
      },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(completeLoginInput)
    .output(loginView)
    .mutation(async ({ ctx, input: { challenge, code } }) => {
      const proof = { challenge, proof: { code }, source: ctx.source(), client: ctx.client }
      const login = await completeLogin(ctx.app, { ...proof, deviceTokens: ctx.device?.read() })
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
          'Exchanges a refresh token for a new access token and a new refresh token, in the same format as the login response. Store the new refresh token. If the response was lost, you can use the old refresh token again for ten seconds after its first use. If the old token is used later, the whole session ends, because the token may have been stolen. If you used one old token several times, keep only the newest refresh token that you received. If you use two of the received tokens more than ten seconds apart, the session can end.',
      },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(z.object({ refresh_token: refreshToken }))
    .output(loginView)
    .mutation(async ({ ctx, input }) => viewLogin(await refreshSession(ctx.app, input.refresh_token, ctx))),

  logout: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/logout',
        operationId: 'logout',
        summary: 'Log out',
        description:
          "Ends the refresh token's session. The session's access tokens are rejected within one second. The response is the same for an unknown token, so the request is safe to retry.",
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
        summary: 'Request a password reset',
        description:
          "Sends a password-reset token to the given email address if the address belongs to one of the tenant's users. Pass the token to `POST /v1/auth/password-reset/confirm`. For an unknown address, the response and its timing are the same.",
      },
    })
    .input(requestPasswordResetInput)
    .output(z.strictObject({ requested: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const { tenant_id: tenantId, email } = input
      await requestPasswordReset(ctx.app, { tenantId, email, source: ctx.source() })
      return { requested: true as const }
    }),

  confirmPasswordReset: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/password-reset/confirm',
        operationId: 'confirmPasswordReset',
        summary: 'Confirm a password reset',
        description:
          'Sets a new password with the token from the password-reset email. The token can be used once, within 30 minutes. All sessions of the user end; log in with the new password.',
      },
    })
    .input(confirmPasswordResetInput)
    .output(z.strictObject({ reset: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const { token, new_password: newPassword } = input
      const reset = { token, newPassword, source: ctx.source(), client: ctx.client }
      ctx.device?.keep(await confirmPasswordReset(ctx.app, reset))
      return { reset: true as const }
    }),

  acceptInvitation: publicProcedure
    .meta({
      openapi: {
        ...operation,
        path: '/v1/auth/invitations/accept',
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Sets the first password of an invited user with the token from the invitation. The token can be used once, within seven days. The user can then log in.',
      },
    })
    .input(acceptInvitationInput)
    .output(z.strictObject({ accepted: z.literal(true) }))
    .mutation(async ({ ctx, input: { token, new_password: newPassword } }) => {
      ctx.device?.keep(await acceptInvitation(ctx.app, { token, newPassword }))
      return { accepted: true as const }
    }),
})

const viewLogin = (login: IssuedTokens): z.output<typeof loginView> => ({
  access_token: login.accessToken,
  refresh_token: login.refreshToken,
  token_type: 'Bearer',
  expires_in: login.expiresIn,
})
