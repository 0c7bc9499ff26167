import { router, userProcedure } from '../api/trpc.ts'
import type { LiveChange } from './live-change.ts'

/** Notifies open dashboard pages of changes. Available only over tRPC, as server-sent events. */
export const liveRouter = router({
  /**
   * Sends lists of changes until the connection ends. The first list is usually empty. A page that has
   * received the first list misses no later change. The server ends the connection after a few minutes,
   * and the page reconnects with a new access token.
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
