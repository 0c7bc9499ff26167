import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { enqueueLoginAttack } from '../log-in/login-attack.sql.ts'
import { type LoginAttempt, loginAttemptOf } from '../log-in/login-attempt.ts'
import { countAttempt, forgetAttempts } from '../log-in/login-throttle.sql.ts'
import { passwordCheckQueue } from './password-check-queue.ts'
import { verifyPassword } from './password-hash.ts'

type Given = {
  /**
   * The entered email address in lower case, as in the database. Failed attempts are counted by address, even
   * if no user has the address.
   */
  address: string
  /** The password hash of the user with the given email address; undefined if there is no such user. */
  passwordHash: string | undefined
  password: string
  source: string
  /**
   * The user's known device or session from which the login was attempted. Undefined if the device is unknown
   * and there is no session.
   */
  known: string | undefined
}

/**
 * Counts the attempt toward the limit on failed logins, and then checks the password. If the limit is
 * exceeded, throws RATE_LIMITED without checking the password.
 */
export async function checkPassword(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { address, passwordHash, password, source, known }: Given,
): Promise<boolean> {
  const attempt = loginAttemptOf(app.secrets, { address, source, known })
  const inTurn = passwordCheckQueue(known !== undefined)
  return inTurn({ source, account: address }, async () => {
    await countOrReject(app, attempt, address)
    const isCorrect = await verifyPassword(passwordHash, password)
    if (isCorrect) await forgetAttempts(app.db, attempt)
    return isCorrect
  })
}

async function countOrReject(
  app: { db: Db; clock: Clock },
  attempt: LoginAttempt,
  address: string,
): Promise<void> {
  const at = app.clock()
  const { account } = attempt
  const note = (tx: Tx) => enqueueLoginAttack(tx, { address, account, at })
  const verdict = await countAttempt(app.db, attempt, at, note)
  if (verdict.isAdmitted) return
  const seconds = Math.ceil(verdict.waitMs / 1_000)
  throw fault('login_delayed', { seconds }, { retryAfterSeconds: seconds })
}
