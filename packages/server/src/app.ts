// What the verbs are given. compose.ts puts the real one together, tests replace parts of it.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Credential } from './auth/auth.sql.ts'
import type { KeyRing } from './auth/token.ts'
import type { Db } from './db/db.ts'
import type { ProveHead } from './ledger/prove-head.ts'
import type { Limits } from './limits/limits.ts'
import type { Live } from './live/watch-changes.ts'
import type { SendMail } from './mail/send-mail.ts'
import type { EarlyChecks } from './payments/early-checks.ts'
import type { Recorded, Report } from './payments/event-batch.ts'
import type { LoadAccount } from './provider-accounts/load-account.ts'
import type { ProviderHealth } from './provider-accounts/watch-health.ts'
import type { AnyProvider } from './providers/provider.ts'
import type { Retention } from './retention/retention.ts'
import type { RoutesOf } from './routing/route.ts'
import type { Secrets } from './secrets.ts'
import type { Tenant, Tier } from './tenants/tenant.ts'
import type { LoadEndpoint } from './webhooks/load-endpoint.ts'

export type App = {
  db: Db
  providers: ReadonlyMap<string, AnyProvider>
  clock: () => Date
  log: Logger
  secrets: Secrets
  /** What providers and tokens name as ours; without a trailing slash. */
  publicUrl: string
  /** Public IPv4 address of this service, for providers that want the payer's and get none. Undefined: not known. */
  publicIp: string | undefined
  /** Callback URLs may be http and private: for development only. */
  webhookAllowPrivate: boolean
  /** Where payments in test mode are paid; without a trailing slash. */
  sandboxUrl: string | undefined
  retention: Retention
  sendMail: SendMail
  /** How each provider account takes charges; every question to a provider goes through it. */
  health: ProviderHealth
  /** What GET /metrics tells. */
  metrics: Registry
  /** Records one event; those that come together share a transaction (payments/record-event.ts). */
  record: (report: Report) => Promise<Recorded>
  /** Brings the next check of a payment forward whose payer or merchant waits (payments/early-checks.ts). */
  earlyChecks: EarlyChecks
  /** Tells open pages of changes. */
  live: Live
  /** That the last statement holds a balance's head. */
  proveHead: ProveHead
  /** That a key was used now; written down later (auth/key-use.ts). */
  noteKeyUse: (keyId: string) => void
  // Configuration that every request needs, in memory (configuration.ts); a change holds within a second.
  tenantOf: (id: string) => Promise<Tenant | undefined>
  /** tier: the tenant's. */
  limitsOf: (tenantId: string, tier: Tier) => Promise<Limits>
  credentialOf: (keyHash: Buffer) => Promise<Credential | undefined>
  credentialAtHand: (keyHash: Buffer) => Credential | undefined
  /** Of a session that was revoked, or that there is none of. */
  isSessionOver: (id: string) => Promise<boolean>
  accountOf: LoadAccount
  routesOf: RoutesOf
  endpointOf: LoadEndpoint
  keyRing: () => Promise<KeyRing>
}
