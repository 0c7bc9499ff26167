// Every minute, one worker process sends notices about problems that require action, such as a failing webhook receiver
// (docs/decisions/0075-notices.md).

import type { Logger } from '../logging/log.ts'
import { type NoticeDeps, sendNotices } from '../notices/send-notices.ts'
import { type Periodic, runPeriodically } from './periodic.ts'

const PAUSE_MS = 60_000

export const startNotices = (app: NoticeDeps & { log: Logger }): Periodic =>
  runPeriodically(
    PAUSE_MS,
    () => sendNotices(app),
    error => app.log.error({ err: error }, 'could not send notices about problems; will retry'),
  )
