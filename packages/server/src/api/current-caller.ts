import type { Context } from './context.ts'

/**
 * How long a caller counts as identified. A revoked key and an ended session must stop working within a second in every
 * process, and their cached state may already be half a second old.
 */
const IDENTIFIED_FOR_MS = 500

/**
 * Returns a function that returns the context with the current caller. If `currentCaller` was called long ago, because
 * the request's body arrived slowly or the request waited in a queue, the caller is identified again.
 */
export function currentCaller(context: Context): () => Promise<Context> {
  const identifiedAtMs = performance.now()
  return async () =>
    performance.now() - identifiedAtMs < IDENTIFIED_FOR_MS
      ? context
      : { ...context, caller: await context.identifyAgain() }
}
