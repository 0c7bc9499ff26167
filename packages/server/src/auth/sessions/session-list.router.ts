import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../../api/page.ts'
import { router, userProcedure } from '../../api/trpc.ts'
import { inScope } from '../../db/tenant-scope.ts'
import { endOtherSessions, endSession } from './end-sessions.ts'
import { type ListedSession, listSessions } from './session-list.sql.ts'

const sessionListView = z
  .strictObject({
    id: z.uuid(),
    is_current: z.boolean().meta({
      description: 'True for the session whose access token was sent with this request',
    }),
    created_at: z.iso.datetime().meta({ description: 'Time of the login' }),
    last_used_at: z.iso.datetime().meta({
      description: 'Time of the login or of the last access token renewal, which happens every 15 minutes',
    }),
    address: z.string().nullable().meta({
      description: 'IP address of the last use; null for sessions opened before addresses were recorded',
      example: '203.0.113.7',
    }),
    user_agent: z.string().nullable().meta({
      description: 'The `User-Agent` header of the last use, which names the browser or program',
      example: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    }),
  })
  .meta({ id: 'Session', description: 'An open session of a user' })

/**
 * The schema also accepts IDs that are not UUIDs. The response is then 404 instead of 400, as for any other session
 * that does not exist.
 */
const sessionPath = z.object({
  session_id: z
    .string()
    .meta({ description: 'UUID of the session', example: '01990000-0000-7000-8000-000000000018' }),
})

const operation = { path: '/v1/account/sessions' as const, tags: ['Account'] }

export const sessionListRouter = router({
  list: userProcedure({ permission: 'self' })
    .meta({
      openapi: {
        ...operation,
        method: 'GET',
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          "Lists the logged-in user's open sessions, newest first, with the device and IP address of their last use.",
      },
    })
    .input(pageInput)
    .output(pageOf(sessionListView, 'SessionPage'))
    .query(async ({ ctx, input }) => {
      const { userId, sessionId } = ctx.caller
      const page = { userId, at: ctx.app.clock(), afterId: afterId(input), limit: input.limit + 1 }
      // The sessions are read outside the tenant's database scope (db/tenant-scope.ts), because the database
      // role used in this scope has no right to read sessions.
      const rows = await inScope(undefined, () => listSessions(ctx.app.db, page))
      return toPage(rows, input, viewSession(sessionId))
    }),

  end: userProcedure({ permission: 'self' })
    .meta({
      openapi: {
        ...operation,
        method: 'DELETE',
        path: '/v1/account/sessions/{session_id}',
        operationId: 'endSession',
        summary: 'End a session',
        description:
          "Ends one of the logged-in user's sessions. Its access tokens are rejected within one second, and its refresh token no longer works.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(sessionPath)
    .output(z.strictObject({ ended: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await inScope(undefined, () => endSession(ctx.app, ctx.caller, input.session_id))
      return { ended: true as const }
    }),

  endOthers: userProcedure({ permission: 'self' })
    .meta({
      openapi: {
        ...operation,
        method: 'DELETE',
        operationId: 'endOtherSessions',
        summary: 'End all other sessions',
        description:
          "Ends all of the logged-in user's sessions except the current one. To end the current session, log out.",
      },
    })
    .output(
      z.strictObject({
        ended: z.int().meta({ description: 'Number of sessions that this request ended', example: 2 }),
      }),
    )
    .mutation(async ({ ctx }) => ({
      ended: await inScope(undefined, () => endOtherSessions(ctx.app, ctx.caller)),
    })),
})

const viewSession =
  (currentId: string) =>
  (session: ListedSession): z.output<typeof sessionListView> => ({
    id: session.id,
    is_current: session.id === currentId,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    address: session.address,
    user_agent: session.userAgent,
  })
