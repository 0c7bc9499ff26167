// The dependencies that every operation receives. compose.ts creates the real ones; tests replace some of them.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Credential } from './auth/auth.sql.ts'
import type { KeyRing } from './auth/tokens/token.ts'
import type { Db } from './db/db.ts'
import type { ProveHead } from './ledger/prove-head.ts'
import type { Limits } from './limits/limits.ts'
import type { Live } from './live/watch-changes.ts'
import type { SendMail } from './mail/send-mail.ts'
import type { EarlyChecks } from './payments/check/early-checks.ts'
import type { Recorded, Report } from './payments/record/event-batch.ts'
import type { LoadAccount } from './provider-accounts/load-account.ts'
import type { ProviderHealth } from './provider-accounts/watch-health.ts'
import type { AnyProvider } from './providers/provider.ts'
import type { Retention } from './retention/retention.ts'
import type { RoutesOf } from './routing/route.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Tenant, Tier } from './tenants/tenant.ts'
import type { LoadEndpoint } from './webhooks/endpoint/load-endpoint.ts'

export type App = {
  db: Db
  providers: ReadonlyMap<string, AnyProvider>
  clock: () => Date
  log: Logger
  secrets: Secrets
  /** The base URL of this service, which providers call and tokens name as their issuer. It has no trailing slash. */
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
  /** Records one event of a payment. Events that arrive together share a transaction (payments/record/record-event.ts). */
  record: (report: Report) => Promise<Recorded>
  /**
   * Brings forward the next status inquiry of a payment while its payer or merchant is waiting
   * (payments/check/early-checks.ts).
   */
  earlyChecks: EarlyChecks
  /** Notifies open dashboard pages of changes. */
  live: Live
  /** Proves that the latest ledger statement contains the current state of a balance. */
  proveHead: ProveHead
  /** Notes that an API key was used just now. The use is written to the database later (auth/api-keys/key-use.ts). */
  noteKeyUse: (keyId: string) => void
  // The functions below read configuration that every request needs. It is cached in memory (configuration.ts), and a
  // change takes effect within a second.
  tenantOf: (id: string) => Promise<Tenant | undefined>
  /** Returns the limits of a tenant. `tier` is the tenant's tier. */
  limitsOf: (tenantId: string, tier: Tier) => Promise<Limits>
  credentialOf: (keyHash: Buffer) => Promise<Credential | undefined>
  credentialAtHand: (keyHash: Buffer) => Credential | undefined
  /** Returns true for a session that was revoked or does not exist. */
  isSessionOver: (id: string) => Promise<boolean>
  accountOf: LoadAccount
  routesOf: RoutesOf
  endpointOf: LoadEndpoint
  keyRing: () => Promise<KeyRing>
}
