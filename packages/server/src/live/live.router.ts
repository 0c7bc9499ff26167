import { router, userProcedure } from '../api/trpc.ts'
import type { LiveChange } from './live-change.ts'

/** By tRPC's own protocol alone, as server-sent events. */
export const liveRouter = router({
  /** Until the connection ends, which it does every few minutes: a page then comes back with a token that holds. */
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
