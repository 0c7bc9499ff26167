// Sends emails about logins and about changes to the password or second factor. Each action of a user causes one email,
// and an admin can create a user with any email address. Without a limit, an admin could therefore flood another
// person's mailbox, for example by logging in as such a user.

import { TokenBucket } from 'limiter'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../logging/log.ts'
import type { Mail } from './mail.ts'
import type { SendMail } from './send-mail.ts'

/**
 * The number of emails of each kind that an address gets from one process: this many at once, and as many again per hour.
 */
const MAILS_PER_HOUR = 20
const MAX_BUCKETS = 10_000

/** Each kind has its own limit, so that many logins cannot suppress the email about a changed password. */
export type SecurityMailKind = 'login' | 'change'

const buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS })

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
    log.warn({ userId, subject: mail.subject }, 'security email not sent: the user has received too many')
    return
  }
  try {
    await sendMail(mail)
  } catch (error) {
    // The job is retried, and the email counts only once.
    bucket.content += 1
    throw error
  }
}
