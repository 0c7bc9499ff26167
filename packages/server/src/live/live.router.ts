import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { changeKinds, type LiveChange } from './live-change.ts'
import { listRecentChanges } from './polled-rows.sql.ts'

/**
 * The longest interruption of a page's stream, in milliseconds, after which the page can still list the changes that it
 * missed.
 */
const MAX_PERIOD_MS = 120_000

/** Notifies open dashboard pages of changes through server-sent events. Available only over tRPC. */
export const liveRouter = router({
  /**
   * Sends lists of changes until the connection ends. The first list is usually empty. Once a page has received the
   * first list, it misses no later change. After a few minutes, the server ends the connection, so that the page
   * reconnects with a new access token.
   */
  changes: userProcedure({ permission: 'viewer' }).subscription(async function* ({
    ctx,
    signal,
  }): AsyncGenerator<LiveChange[]> {
    const { tenantId, role, sessionId } = ctx.caller
    const { tenantOf, sessionOf } = ctx.app
    const isStillAllowed = async () =>
      (await tenantOf(tenantId))?.status === 'active' && (await sessionOf(sessionId)) !== undefined
    yield* ctx.app.live.changesOf(role === 'owner' ? null : tenantId, {
      signal: signal ?? new AbortController().signal,
      isStillAllowed,
    })
  }),

  /**
   * Lists the changes to the tenant's payments and webhook events in the last `ms` milliseconds. A page calls this
   * after an interruption of the stream. The page sends a duration instead of a time, because the clock of the user's
   * computer may be wrong.
   */
  recent: userProcedure({ permission: 'viewer' })
    .input(z.object({ ms: z.int().min(0).max(MAX_PERIOD_MS) }))
    .output(
      z.array(
        z.strictObject({ kind: z.enum(changeKinds), id: z.string(), payment_id: z.string().nullable() }),
      ),
    )
    .query(({ ctx, input }) => listRecentChanges(ctx.app.db, ctx.caller.tenantId, input.ms)),
})
