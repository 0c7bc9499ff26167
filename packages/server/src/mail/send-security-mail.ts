// Sends emails about logins and about changes to the password or second factor. The number of emails is limited.
// Otherwise, an admin could flood another person's mailbox by creating a user with that person's email address and
// logging in as this user repeatedly.

import { TokenBucket } from 'limiter'
import type { Logger } from '../logging/log.ts'
import { boundedCache } from '../values/bounded-cache.ts'
import type { Mail } from './mail.ts'
import type { SendMail } from './send-mail.ts'

/**
 * The maximum number of emails of each kind that one process sends to an address: this many at once, and afterward the
 * same number per hour.
 */
const MAILS_PER_HOUR = 20
const MAX_BUCKETS = 10_000

/**
 * Each kind of security email has its own limit. Many emails about logins therefore cannot suppress the email
 * about a changed password.
 */
export type SecurityMailKind = 'login' | 'change'

const buckets = boundedCache<TokenBucket>(MAX_BUCKETS)

function bucketOf(kind: SecurityMailKind, address: string): TokenBucket {
  const key = `${kind} ${address}`
  const known = buckets.get(key)
  if (known) return known
  const bucket = new TokenBucket({
    bucketSize: MAILS_PER_HOUR,
    tokensPerInterval: MAILS_PER_HOUR,
    interval: 'hour',
  })
  bucket.content = MAILS_PER_HOUR
  buckets.set(key, bucket)
  return bucket
}

/** Sends the email, or logs a warning if the address has received too many emails of this kind. */
export async function sendSecurityMail(
  { sendMail, log }: { sendMail: SendMail; log: Pick<Logger, 'warn'> },
  kind: SecurityMailKind,
  mail: Mail,
  userId: string,
): Promise<void> {
  const bucket = bucketOf(kind, mail.to.toLowerCase())
  if (!bucket.tryRemoveTokens(1)) {
    log.warn(
      { userId, subject: mail.subject },
      'security email not sent: the user has received too many security emails',
    )
    return
  }
  try {
    await sendMail(mail)
  } catch (error) {
    // The failed attempt does not count toward the limit on emails per hour, because the job tries again.
    bucket.content += 1
    throw error
  }
}
