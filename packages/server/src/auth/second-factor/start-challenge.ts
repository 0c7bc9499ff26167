import type { Db } from '../../db/db.ts'
import type { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { type ChallengePurpose, insertChallenge } from './challenge.sql.ts'
import { CHALLENGE_SECONDS, challengeEnd, newChallengeToken, type SecondFactorMethod } from './challenge.ts'
import { type Factors, findFactors } from './second-factor.sql.ts'

export async function startChallenge(
  app: { db: Db; secrets: Secrets; clock: Clock },
  {
    userId,
    purpose,
    passkeyChallenge = null,
    passwordHash = null,
  }: {
    userId: string
    purpose: ChallengePurpose
    passkeyChallenge?: string | null
    passwordHash?: string | null
  },
): Promise<string> {
  const at = app.clock()
  const token = newChallengeToken()
  const challenge = { tokenHash: app.secrets.hash(token), userId, purpose, passkeyChallenge, passwordHash }
  await insertChallenge(app.db, { ...challenge, at, expiresAt: challengeEnd(at) })
  return token
}

/**
 * Returns the error for a login with the correct password that still needs the second factor. The login continues with
 * the challenge in this error. If the password has changed since it was checked, the challenge is not stored, so the
 * login cannot continue.
 */
export async function secondFactorNeeded(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { id: userId, passwordHash }: { id: string; passwordHash: string },
): Promise<GatewayError> {
  const [challenge, factors] = await Promise.all([
    startChallenge(app, { userId, purpose: 'log_in', passwordHash }),
    findFactors(app.db, userId),
  ])
  const shown = { challenge, methods: methodsOf(factors), expires_in: CHALLENGE_SECONDS }
  return fault('otp_required', {}, { shown })
}

export const methodsOf = ({ hasTotp, passkeys, recoveryCodes }: Factors): SecondFactorMethod[] => [
  ...(hasTotp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
]
