import { accountOf, webhookEndpointOf } from './account.ts'
import type { ApiPromise } from './api-promise.ts'
import { authOf } from './auth.ts'
import { type Call, type CallOptions, makeCall } from './call.ts'
import { callbacksOf } from './callbacks.ts'
import { dailyReconciliationOf } from './daily-reconciliation.ts'
import { listActiveMethods } from './generated/operations.gen.ts'
import type { ActiveMethods, Balance } from './generated/types.gen.ts'
import { challengedPaymentsOf, unexpectedMoneyOf, unknownPaymentsOf } from './inbox.ts'
import { ledgerOf } from './ledger.ts'
import { limitsOf } from './limits.ts'
import type { Logger } from './logger.ts'
import { paymentsOf } from './payments.ts'
import { providersOf } from './providers.ts'
import { auditOf, reportsOf } from './records.ts'
import type { Fetch } from './request.ts'
import { settlementsOf } from './settlements.ts'
import { apiKeysOf, entitlementsOf, routingRulesOf, tenantsOf, usersOf } from './tenants.ts'

/**
 * Who calls: an application with its API key, or a user with an access token. Exactly one of them.
 *
 * @example
 * const application: Credential = { apiKey: 'gp_test_…' }
 * const user: Credential = { accessToken: () => session.access_token }
 */
export type Credential =
  | {
      /** `gp_live_…` moves real money, `gp_test_…` none. Keep it out of pages and apps. */
      apiKey: string
      accessToken?: never
    }
  | {
      /** As `auth.login` gave it. A function is asked before every try, so that it can refresh. */
      accessToken: string | (() => string | Promise<string>)
      apiKey?: never
    }

/**
 * Settings of a client.
 *
 * @example
 * const options: GapuraOptions = { apiKey: 'gp_test_…', baseUrl: 'http://127.0.0.1:8080', maxRetries: 0 }
 */
export type GapuraOptions = Credential & {
  /** Where the service is, such as `https://pay.example.com`, perhaps with a path. Redirects are not followed. */
  baseUrl: string
  /** For one try, the body included (30,000). The service itself gives a provider 10 seconds. */
  timeoutMs?: number | undefined
  /** Tries after the first (2). */
  maxRetries?: number | undefined
  /** Instead of the global `fetch`, such as one that goes through a proxy. */
  fetch?: Fetch | undefined
  /** Told of each try; nobody is without it. */
  logger?: Logger | undefined
}

/**
 * A client of the payment API, and of its management. Amounts are integer cents: Rp100,000 is `10_000_000`.
 *
 * @example
 * const gapura = new Gapura({ apiKey: 'gp_test_…', baseUrl: 'http://127.0.0.1:8080' })
 * const payment = await gapura.payments.create(
 *   {
 *     amount: 10_000_000,
 *     currency: 'IDR',
 *     method_type: 'virtual_account',
 *     method_detail: { type: 'virtual_account', bank: 'BCA' },
 *   },
 *   { idempotencyKey: 'order-1001' },
 * )
 * console.log(payment.method_data.va_number)
 *
 * @example
 * let session: Login
 * const gapura = new Gapura({ accessToken: () => session.access_token, baseUrl: 'http://127.0.0.1:8080' })
 * session = await gapura.auth.login({ email, password })
 * for await (const payment of gapura.payments.list({ status: 'paid' })) console.log(payment.payment_code)
 */
export class Gapura {
  readonly #call: Call

  /** Create payments and follow them. */
  readonly payments
  /** Log in and out; these need no credential and send none. */
  readonly auth
  /** The tenant that calls: who it is, its balance, its API keys. */
  readonly account
  /** The tenant's callback URL, its secret, and what was delivered. To verify: the `webhooks` export. */
  readonly webhooks
  /** For the Owner, and for Partners over their Clients. */
  readonly tenants
  /** Request limits of tiers and of single tenants, for the Owner. */
  readonly limits
  /** A tenant's API keys. */
  readonly apiKeys
  /** Who logs in for a tenant. */
  readonly users
  /** Which provider accounts a tenant may use. */
  readonly entitlements
  /** Which of them takes which payment. */
  readonly routingRules
  /** The providers and our accounts there, for the Owner. */
  readonly providers
  /** What providers say they settled, for the Owner. */
  readonly settlements
  /** What providers reported, for the Owner. */
  readonly callbacks
  /** Payments that are in doubt, for the Owner. */
  readonly challengedPayments
  /** Money that arrived otherwise than was agreed, for the Owner. */
  readonly unexpectedMoney
  /** Charges of which nobody knows what came of them, for the Owner. */
  readonly unknownPayments
  /** What the verification of the whole ledger found, for the Owner. */
  readonly ledger
  /** What the daily reconciliation compared and found, for the Owner. */
  readonly reconciliation
  /** Figures over payments, and whether the books agree. */
  readonly reports
  /** Who did what. */
  readonly audit

  constructor({ baseUrl, timeoutMs = 30_000, maxRetries = 2, fetch, logger, ...credential }: GapuraOptions) {
    const authorization = authorizationOf(credential)
    const service = { baseUrl: serviceUrlOf(baseUrl), fetch }
    const call = makeCall({ authorization, ...service, timeoutMs, maxRetries, logger })
    this.#call = call
    this.payments = paymentsOf(call)
    this.auth = authOf(call)
    this.account = accountOf(call)
    this.webhooks = webhookEndpointOf(call)
    this.tenants = tenantsOf(call)
    this.limits = limitsOf(call)
    this.apiKeys = apiKeysOf(call)
    this.users = usersOf(call)
    this.entitlements = entitlementsOf(call)
    this.routingRules = routingRulesOf(call)
    this.providers = providersOf(call)
    this.settlements = settlementsOf(call)
    this.callbacks = callbacksOf(call)
    this.challengedPayments = challengedPaymentsOf(call)
    this.unexpectedMoney = unexpectedMoneyOf(call)
    this.unknownPayments = unknownPaymentsOf(call)
    this.ledger = ledgerOf(call)
    this.reconciliation = dailyReconciliationOf(call)
    this.reports = reportsOf(call)
    this.audit = auditOf(call)
  }

  /**
   * The providers, methods and channels that this credential can create payments with.
   *
   * @example
   * const { providers } = await gapura.activeMethods()
   */
  activeMethods(options?: CallOptions): ApiPromise<ActiveMethods> {
    return this.#call.repeatable(listActiveMethods, {}, options)
  }

  /**
   * The balance in the key's mode, in cents.
   *
   * @example
   * const { balance } = await gapura.balance()
   */
  balance(options?: CallOptions): ApiPromise<Balance> {
    return this.account.balance({}, options)
  }
}

/** What is no address of a service is told now, and not at the first call. */
function serviceUrlOf(baseUrl: string): string {
  const { protocol, username, password, origin, pathname, search, hash } = new URL(baseUrl)
  // A query or a fragment would swallow every path; a password is refused by fetch, whose error shows it.
  if (!/^https?:$/.test(protocol) || username || password || search || hash)
    throw new TypeError('baseUrl: http or https, a host and perhaps a path are needed, and nothing else')
  return (origin + pathname).replace(/\/+$/, '')
}

/** What goes into the header. A wrong credential is told without being repeated. */
function authorizationOf({ apiKey, accessToken }: Partial<Credential>): () => string | Promise<string> {
  if (apiKey !== undefined && accessToken !== undefined)
    throw new TypeError('give apiKey or accessToken, not both')
  if (accessToken === undefined) {
    if (!isVisible(apiKey)) throw new TypeError('apiKey: a key such as gp_test_… is needed')
    return () => `ApiKey ${apiKey}`
  }
  if (typeof accessToken === 'function') return async () => bearer(await accessToken())
  const header = bearer(accessToken)
  return () => header
}

function bearer(accessToken: string): string {
  if (!isVisible(accessToken)) throw new TypeError('accessToken: the access_token of a log-in is needed')
  return `Bearer ${accessToken}`
}

/** Anything else in a header is a TypeError of fetch, which would name neither the credential nor its owner. */
const isVisible = (text: string | undefined): boolean =>
  typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)
