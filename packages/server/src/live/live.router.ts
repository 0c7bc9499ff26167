import { router, userProcedure } from '../api/trpc.ts'
import type { LiveChange } from './live-change.ts'

/** Notifies open dashboard pages of changes through server-sent events. Available only over tRPC. */
export const liveRouter = router({
  /**
   * Sends lists of changes until the connection ends. Once the first, usually empty list has arrived, a page misses
   * no change. After a few minutes, the server ends the connection, and the page reconnects with a new access
   * token.
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
})
