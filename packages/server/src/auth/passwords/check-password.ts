import type { Db, Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { enqueueAttackNote } from '../log-in/login-attack.sql.ts'
import { type Attempt, attemptOf } from '../log-in/login-attempt.ts'
import { countAttempt, forgetAttempts } from '../log-in/login-throttle.sql.ts'
import { passwordCheckQueue } from './password-check-queue.ts'
import { verifyPassword } from './password-hash.ts'

type Given = {
  /** The e-mail address in the form in which the database compares it, even if no user has it. */
  address: string
  /** The password hash of the user with that address; undefined if there is no such user. */
  passwordHash: string | undefined
  password: string
  source: string
  /** Identifies the device or session of that user from which the attempt comes; undefined if it comes from neither. */
  known: string | undefined
}

/**
 * Checks the password. The attempt is counted first. If it exceeds the limit, RATE_LIMITED is thrown and the password
 * is not checked.
 */
export async function checkPassword(
  app: { db: Db; secrets: Secrets; clock: Clock },
  { address, passwordHash, password, source, known }: Given,
): Promise<boolean> {
  const attempt = attemptOf(app.secrets, { address, source, known })
  const inTurn = passwordCheckQueue(known !== undefined)
  return inTurn({ source, account: address }, async () => {
    await admit(app, attempt, address)
    const holds = await verifyPassword(passwordHash, password)
    if (holds) await forgetAttempts(app.db, attempt)
    return holds
  })
}

async function admit(app: { db: Db; clock: Clock }, attempt: Attempt, address: string): Promise<void> {
  const at = app.clock()
  const { account } = attempt
  const note = (tx: Tx) => enqueueAttackNote(tx, { address, account, at })
  const verdict = await countAttempt(app.db, attempt, at, note)
  if (verdict.isAdmitted) return
  const seconds = Math.ceil(verdict.waitMs / 1_000)
  throw fault('login_delayed', { seconds }, { retryAfterSeconds: seconds })
}
