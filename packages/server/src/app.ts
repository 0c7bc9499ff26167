// The dependencies that every operation receives. compose.ts creates the real ones; tests replace some of them.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Configuration } from './configuration/cached-configuration.ts'
import type { Db } from './db/db.ts'
import type { ProveHead } from './ledger/prove-head.ts'
import type { Live } from './live/watch-changes.ts'
import type { SendMail } from './mail/send-mail.ts'
import type { EarlyChecks } from './payments/inquire/early-checks.ts'
import type { RecordInBatch } from './payments/record/event-batch.ts'
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
   * The base URL of this service, without a trailing slash. Providers send callbacks to it, and tokens have it as their
   * issuer.
   */
  publicUrl: string
  /**
   * This service's public IPv4 address, sent to providers that require a payer address when the order has none.
   * Undefined if the address is unknown.
   */
  publicIp: string | undefined
  /** True if webhook URLs may use http and private addresses. Only for development. */
  webhookAllowPrivate: boolean
  /** The base URL at which payments in test mode are paid, without a trailing slash. */
  sandboxUrl: string | undefined
  retention: Retention
  sendMail: SendMail
  /** Tracks how well each provider account accepts charges. Every request to a provider passes through it. */
  health: ProviderHealth
  /** The metrics that GET /metrics returns. */
  metrics: Registry
  recordInBatch: RecordInBatch
  /**
   * Brings forward the next status inquiry of a payment while its payer or merchant is waiting
   * (payments/inquire/early-checks.ts).
   */
  earlyChecks: EarlyChecks
  /** Notifies open dashboard pages of changes. */
  live: Live
  /** Proves that the latest ledger statement contains the current state of a balance. */
  proveHead: ProveHead
  /** Notes that an API key was used just now. The use is written to the database later (auth/api-keys/key-use.ts). */
  noteKeyUse: (keyId: string) => void
  /** Adds a request with an API key to the request log. It is written to the database later. */
  noteApiRequest: (request: SeenRequest) => void
}
