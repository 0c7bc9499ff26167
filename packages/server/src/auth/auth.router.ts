import { z } from 'zod'
import { publicProcedure, router } from '../api/trpc.ts'
import { logIn } from './log-in.ts'

const loginView = z
  .strictObject({
    access_token: z
      .string()
      .meta({ description: 'JWT (RS256); send it as `Authorization: Bearer <access_token>`' }),
    refresh_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds', example: 900 }),
  })
  .meta({ id: 'Login' })

export const authRouter = router({
  login: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/auth/login',
        operationId: 'login',
        tags: ['Authentication'],
        summary: 'Log in',
        description:
          'Exchanges e-mail address and password of a dashboard user for an access token of 15 minutes and a refresh token of 30 days.',
      },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    })
    .input(
      z.object({
        email: z.string().trim().min(1).max(255).meta({ example: 'client@example.com' }),
        password: z.string().min(1).max(1024).meta({ example: 'correct horse battery staple' }),
      }),
    )
    .output(loginView)
    .mutation(async ({ ctx, input }) => {
      const login = await logIn(ctx.app, input.email, input.password)
      return {
        access_token: login.accessToken,
        refresh_token: login.refreshToken,
        token_type: 'Bearer',
        expires_in: login.expiresIn,
      }
    }),
})
