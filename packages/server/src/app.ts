// The dependencies passed to every operation. compose.ts creates the real dependencies. Tests replace some of them.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Configuration } from './configuration/cached-configuration.ts'
import type { Db } from './db/db.ts'
import type { ProveHead } from './ledger/prove-head.ts'
import type { Live } from './live/watch-changes.ts'
import type { SendMail } from './mail/send-mail.ts'
import type { NoticeWebhook } from './notices/post-notices.ts'
import type { EarlyChecks } from './payments/inquire/early-checks.ts'
import type { RecordInBatch } from './payments/record/event-batch.ts'
import type { InquiryLimits } from './provider-accounts/inquiry-limits.ts'
import type { ProviderHealth } from './provider-accounts/provider-health.ts'
import type { Providers } from './providers/provider.ts'
import type { SeenRequest } from './request-log/api-request.ts'
import type { Retention } from './retention/retention.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Clock } from './values/time.ts'

export type App = Configuration & {
  db: Db
  providers: Providers
  clock: Clock
  log: Logger
  secrets: Secrets
  /**
   * This service's base URL, without a trailing slash. Providers send callbacks to URLs that begin with it, and
   * access tokens contain it as their issuer.
   */
  publicUrl: string
  /**
   * This service's public IPv4 address, or undefined if unknown. Some providers require the payer's IP address. If an
   * order has no payer address, the service sends its own address instead.
   */
  publicIp: string | undefined
  /** If true, webhook URLs may use http and private addresses. Only for development. */
  webhookAllowPrivate: boolean
  /** The base URL of the sandbox pages where test payments can be paid, without a trailing slash. */
  sandboxUrl: string | undefined
  retention: Retention
  sendMail: SendMail
  /**
   * The webhook that receives notices for the Owner (the service's operator), such as warnings about a
   * failing provider. If this is undefined, notices are sent only by email.
   */
  noticeWebhook: NoticeWebhook | undefined
  /**
   * Tracks which provider accounts accept charges and which are failing, based on the result of every request to a
   * provider.
   */
  health: ProviderHealth
  /** Limits the status inquiries of this process for each provider account. */
  inquiryLimits: InquiryLimits
  /** The Prometheus metrics that GET /metrics returns. */
  metrics: Registry
  recordInBatch: RecordInBatch
  /**
   * Brings forward a payment's next status inquiry while the payer or the merchant waits for its result
   * (payments/inquire/early-checks.ts).
   */
  earlyChecks: EarlyChecks
  /** Notifies open dashboard pages about changes. */
  live: Live
  /** Creates a cryptographic proof that the latest signed ledger statement includes the current balance. */
  proveHead: ProveHead
  /** Records that an API key was just used. The time is written to the database later (auth/api-keys/key-use.ts). */
  noteKeyUse: (keyId: string) => void
  /** Records an API key's request for the request log. The log entry is written to the database only later. */
  noteApiRequest: (request: SeenRequest) => void
}
