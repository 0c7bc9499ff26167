import type { Logger } from '../logging/log.ts'
import type { Mail } from './mail.ts'
import type { SendMail } from './send-mail.ts'

/** A user who receives an email, for example because of the user's permissions. */
export type Recipient = { userId: string; email: string }

/**
 * The number of users for whom sending may fail without a response before the mail server counts as unreachable. Each
 * of these attempts can last as long as the timeout for the mail server.
 */
const MAX_UNANSWERED = 3

/**
 * Sends one email to each user. If sending fails for a user, for example because the mail server rejects the mailbox,
 * the failure is logged and the other users are still emailed. Throws only if no user could be emailed.
 */
export async function emailUsers(
  { sendMail, log }: { sendMail: SendMail; log: Pick<Logger, 'warn'> },
  users: readonly Recipient[],
  mailTo: (email: string) => Mail,
): Promise<void> {
  const failures: { userId: string; error: unknown }[] = []
  let sent = 0
  let unanswered = 0
  for (const { userId, email } of users) {
    try {
      await sendMail(mailTo(email))
      sent++
    } catch (error) {
      failures.push({ userId, error })
      if (!isResponse(error)) unanswered++
      if (sent === 0 && unanswered === MAX_UNANSWERED) break
    }
  }
  if (failures.length === 0) return
  if (sent === 0) throw failureOf(failures.map(({ error }) => error))
  // The log identifies the user by ID, because an email address is personal data. The mail server's response usually
  // contains the address, so only its codes are logged.
  for (const { userId, error } of failures) {
    const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
    log.warn({ userId, code, responseCode }, 'a user could not be emailed; the other users were emailed')
  }
}

/** The mail library sets `responseCode` only if the mail server responded. */
const isResponse = (error: unknown): boolean =>
  typeof (error as { responseCode?: unknown } | null)?.responseCode === 'number'

const failureOf = (errors: unknown[]): unknown =>
  errors.length === 1 ? errors[0] : new AggregateError(errors, 'no user could be emailed')
