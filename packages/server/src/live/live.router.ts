import { router, userProcedure } from '../api/trpc.ts'
import type { LiveChange } from './live-change.ts'

/** Served only over tRPC, as server-sent events. */
export const liveRouter = router({
  /**
   * Runs until the connection ends. The connection ends every few minutes, and the page reconnects with a fresh
   * token.
   */
  changes: userProcedure().subscription(async function* ({ ctx, signal }): AsyncGenerator<LiveChange[]> {
    const { tenantId, role, sessionId } = ctx.caller
    const { tenantOf, isSessionOver } = ctx.app
    const mayGoOn = async () =>
      (await tenantOf(tenantId))?.status === 'active' &&
      (sessionId === undefined || !(await isSessionOver(sessionId)))
    yield* ctx.app.live.watch(role === 'owner' ? null : tenantId, {
      signal: signal ?? new AbortController().signal,
      mayGoOn,
    })
  }),
})
