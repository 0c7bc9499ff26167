import type { Outputs } from '../api/trpc.ts'
import type { Mode } from '../shell/mode.ts'

export type Key = Outputs['keys']['listOwn']['items'][number]

/**
 * The state of an API key. `ending` means that the key was rotated, but still works until its grace period
 * ends.
 */
export type KeyState = 'active' | 'ending' | 'ended' | 'revoked'

export function stateOf({ revoked_at, expires_at }: Key, now: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return new Date(expires_at) > now ? 'ending' : 'ended'
}

/**
 * Sorts API keys: keys in the given mode (live or test) first, then working keys, then newest first, as in the API.
 */
export const inOrder = (keys: readonly Key[], mode: Mode, now: Date): Key[] => {
  const rank = (key: Key) =>
    (key.mode === mode ? 0 : 2) + (['active', 'ending'].includes(stateOf(key, now)) ? 0 : 1)
  return keys.toSorted((a, b) => rank(a) - rank(b))
}
