import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { loginAttemptOf } from '../log-in/login-attempt.ts'
import { countAttempt, forgetAttempts } from '../log-in/login-throttle.sql.ts'
import type { ClientDevice } from '../log-in/session.sql.ts'
import { enqueueSecurityChange } from '../users/security-change.sql.ts'
import { normalizedCode } from './recovery-code.ts'
import { findTotpSecret, takeRecoveryCode, takeTotpStep } from './second-factor.sql.ts'
import { totpStepOf } from './totp.ts'

export type CodeApp = { db: Db; secrets: Secrets; clock: Clock }
export type GivenCode = {
  userId: string
  code: string
  source: string
  /**
   * The user's session that sent the code, or the known device if a login with a second factor has succeeded on it
   * before. For any other device, `known` is undefined, and the limits for unknown devices apply.
   */
  known: string | undefined
  client: ClientDevice
}

/** Checks a second-factor code: a code from the authenticator app or a recovery code. A valid code works only once. */
export async function checkCode(app: CodeApp, given: GivenCode): Promise<boolean> {
  const code = normalizedCode(given.code)
  return limitCodes(app, given, () =>
    /^\d{6}$/.test(code) ? checkTotp(app, given.userId, code) : checkRecoveryCode(app, { ...given, code }),
  )
}

/**
 * Wrong second-factor codes are limited like wrong passwords, but counted separately. Attempts are counted before
 * their codes are checked, because attempts can be concurrent. A correct code resets the count for this device or
 * IP address.
 */
export async function limitCodes<Result>(
  app: CodeApp,
  { userId, source, known }: Omit<GivenCode, 'code' | 'client'>,
  check: () => Promise<Result | false>,
): Promise<Result | false> {
  const attempt = loginAttemptOf(app.secrets, { address: `second factor of ${userId}`, source, known })
  const verdict = await countAttempt(app.db, attempt, app.clock(), async () => {})
  if (!verdict.isAdmitted) {
    const seconds = Math.ceil(verdict.waitMs / 1_000)
    throw fault('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  }
  const result = await check()
  if (result !== false) await forgetAttempts(app.db, attempt)
  return result
}

async function checkTotp(app: CodeApp, userId: string, code: string): Promise<boolean> {
  const sealed = await findTotpSecret(app.db, userId, true)
  if (sealed === undefined) return false
  const step = totpStepOf(await app.secrets.decrypt(sealed, totpContext(userId)), code, app.clock())
  return step !== undefined && (await takeTotpStep(app.db, userId, step))
}

async function checkRecoveryCode(
  { db, secrets, clock }: CodeApp,
  { userId, code, client }: GivenCode,
): Promise<boolean> {
  const at = clock()
  return db.transaction(async tx => {
    if (!(await takeRecoveryCode(tx, userId, recoveryCodeHash(secrets, userId, code), at))) return false
    await enqueueSecurityChange(tx, { userId, change: 'recovery_code_used', at, client })
    return true
  })
}

/**
 * The context used to encrypt a user's TOTP secret. Decryption requires the same context, so a secret copied to
 * another user's row is useless.
 */
export const totpContext = (userId: string): string => `TOTP secret of ${userId}`

export const recoveryCodeHash = (secrets: Secrets, userId: string, code: string): Buffer =>
  secrets.hash(`recovery code ${normalizedCode(code)} of ${userId}`)
