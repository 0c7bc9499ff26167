import { router, userProcedure } from '../api/trpc.ts'
import type { LiveChange } from './live-change.ts'

/** The notifications are available only over tRPC, as server-sent events. */
export const liveRouter = router({
  /**
   * Sends changes until the connection ends. The connection ends after a few minutes, and the page reconnects with a
   * new access token.
   */
  changes: userProcedure().subscription(async function* ({ ctx, signal }): AsyncGenerator<LiveChange[]> {
    const { tenantId, role, sessionId } = ctx.caller
    const { tenantOf, isSessionEnded } = ctx.app
    const mayGoOn = async () =>
      (await tenantOf(tenantId))?.status === 'active' &&
      (sessionId === undefined || !(await isSessionEnded(sessionId)))
    yield* ctx.app.live.isStillAllowed(role === 'owner' ? null : tenantId, {
      signal: signal ?? new AbortController().signal,
      mayGoOn,
    })
  }),
})
