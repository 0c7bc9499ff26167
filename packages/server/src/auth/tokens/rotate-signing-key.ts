import type { App } from '../../app.ts'
import { type Actor, act } from '../../audit/act.ts'
import { after } from '../../values/time.ts'
import { RETIRED_AFTER_MS, sealNewSigningKey } from './key-ring.ts'
import { insertNextSigningKey } from './signing-key.sql.ts'

/**
 * Creates a new key for signing access tokens. No user is logged out, because tokens signed with earlier keys stay
 * valid until they expire.
 */
export async function rotateSigningKey(
  app: Pick<App, 'db' | 'secrets' | 'clock'>,
  actor: Actor,
): Promise<{ kid: string; followed: string[]; retiredAt: Date }> {
  const key = await sealNewSigningKey(app.secrets)
  const at = app.clock()
  const retiredAt = after(at, RETIRED_AFTER_MS)
  return act(app, actor, async tx => {
    const followed = await insertNextSigningKey(tx, key, at, retiredAt)
    return {
      result: { kid: key.kid, followed, retiredAt },
      action: 'signing_key.rotate',
      tenantId: null,
      subjectId: key.kid,
      before: { kids: followed },
      after: { kid: key.kid, retired_at: retiredAt.toISOString() },
    }
  })
}
