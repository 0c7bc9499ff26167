import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { after, type Clock } from '../values/time.ts'
import type { Mail } from './mail.ts'
import type { SendMail } from './send-mail.ts'
import { enqueueUnsentMails, findActiveAddress, type UnsentMail } from './unsent-mail.sql.ts'

/**
 * The ID and email address of a user who is to receive an email, for example because of the user's
 * permissions.
 */
export type Recipient = { userId: string; email: string }

export type Mailer = { db: Db; clock: Clock; sendMail: SendMail; log: Pick<Logger, 'warn' | 'error'> }

/**
 * If the mail server does not respond to the emails to this many users, it counts as unreachable. Each of these
 * attempts can last as long as the timeout for the mail server.
 */
const MAX_UNANSWERED = 3

/** The maximum age of an email. An older email about a problem is not sent. */
const MAX_AGE_MS = 4 * 86_400_000

/**
 * Sends one email to each user. Throws an error if no email could be sent, so that the caller can try again. If only
 * some emails could not be sent, a job sends each of them later. If the mail server rejected an email permanently, or
 * if the job cannot be enqueued, only an error is logged.
 */
export async function emailUsers(
  { db, clock, sendMail, log }: Mailer,
  users: readonly Recipient[],
  mailTo: (email: string) => Mail,
): Promise<void> {
  const failures: { userId: string; error: unknown; mail: Mail }[] = []
  let sent = 0
  let unanswered = 0
  let untried = users
  for (const { userId, email } of users) {
    if (unanswered === MAX_UNANSWERED) break
    untried = untried.slice(1)
    const mail = mailTo(email)
    try {
      await sendMail(mail)
      sent++
    } catch (error) {
      failures.push({ userId, error, mail })
      if (!isResponse(error)) unanswered++
    }
  }
  if (failures.length === 0) return
  if (sent === 0) throw failureOf(failures.map(({ error }) => error))
  for (const { userId, error } of failures) logFailure(log, userId, error)
  const createdAt = clock()
  const unsent: UnsentMail[] = [
    ...failures.filter(({ error }) => !isPermanentRejection(error)),
    ...untried.map(({ userId, email }) => ({ userId, mail: mailTo(email) })),
  ].map(({ userId, mail: { subject, text } }) => ({ userId, subject, text, createdAt }))
  if (unsent.length === 0) return
  try {
    await enqueueUnsentMails(db, unsent)
  } catch (error) {
    // The error is not thrown, because the caller would try again and email the same users twice.
    const userIds = unsent.map(({ userId }) => userId)
    log.error({ err: error, userIds }, 'the jobs that email the remaining users could not be enqueued')
  }
}

/**
 * Handles the job that sends one email which the mail server did not accept before. Throws if the job must be retried.
 * The retries end when the email is four days old.
 */
export async function sendUnsentMail(
  { db, clock, sendMail, log }: Mailer,
  { userId, createdAt, ...mail }: UnsentMail,
): Promise<void> {
  if (clock() >= after(createdAt, MAX_AGE_MS)) {
    log.warn({ userId }, 'an email was not sent, because it is too old')
    return
  }
  const to = await findActiveAddress(db, userId)
  if (to === undefined) return
  try {
    await sendMail({ to, ...mail })
  } catch (error) {
    if (!isPermanentRejection(error)) throw error
    logFailure(log, userId, error)
  }
}

/**
 * Logs that a user could not be emailed. The log identifies the user by ID, because an email address is personal data.
 */
function logFailure(log: Pick<Logger, 'warn'>, userId: string, error: unknown): void {
  const { code, responseCode } = codesOf(error)
  log.warn({ userId, code, responseCode }, 'a user could not be emailed')
}

const codesOf = (error: unknown) => (error ?? {}) as { code?: unknown; responseCode?: unknown }

/**
 * Returns whether the error contains a response of the mail server. The mail library sets `responseCode` only
 * if the mail server responded.
 */
const isResponse = (error: unknown): boolean => typeof codesOf(error).responseCode === 'number'

/**
 * Returns whether the mail server rejected the mailbox (EENVELOPE) or the message (EMESSAGE) permanently. Another attempt
 * would fail, too.
 */
const isPermanentRejection = (error: unknown): boolean => {
  const { code, responseCode } = codesOf(error)
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500
  )
}

const failureOf = (errors: unknown[]): unknown =>
  errors.length === 1 ? errors[0] : new AggregateError(errors, 'no user could be emailed')
