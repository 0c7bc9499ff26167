// Every minute, one worker process mails users about problems that require action, such as a failing webhook receiver
// (docs/decisions/0075-notices.md).

import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { SendMail } from '../mail/send-mail.ts'
import { mailNotices } from '../notices/mail-notices.ts'
import type { Clock } from '../values/time.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export const startNotices = (app: {
  db: Db
  clock: Clock
  log: Logger
  publicUrl: string
  sendMail: SendMail
}): Periodic =>
  runPeriodically(
    PAUSE_MS,
    () => mailNotices(app),
    error => app.log.error({ err: error }, 'users could not be mailed about notices; it will be retried'),
  )
