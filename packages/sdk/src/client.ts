import { AccountResource } from './account.ts'
import { ApiPromise } from './api-promise.ts'
import { AuditResource } from './audit.ts'
import { AuthResource } from './auth.ts'
import { BrandingResource } from './branding.ts'
import { type Call, type CallOptions, makeCall } from './call.ts'
import { FeesResource } from './fees.ts'
import { listActiveMethods } from './generated/operations.gen.ts'
import type { ActiveMethods } from './generated/types.gen.ts'
import { ChallengedPaymentsResource, UnexpectedMoneyResource, UnknownPaymentsResource } from './inbox.ts'
import { LedgerResource } from './ledger.ts'
import { LimitsResource } from './limits.ts'
import type { Logger } from './logger.ts'
import { PaymentsResource } from './payments.ts'
import { ProviderCallbacksResource } from './provider-callbacks.ts'
import { ProvidersResource } from './providers.ts'
import { type Method, type RequestOptions, requestOf } from './raw-request.ts'
import { ReconciliationResource } from './reconciliation.ts'
import { RefundsResource } from './refunds.ts'
import { ReportsResource } from './reports.ts'
import type { Fetch } from './request.ts'
import { RequestsResource } from './requests.ts'
import { SecondFactorResource } from './second-factor.ts'
import { SettlementsResource } from './settlements.ts'
import { TenantPaymentsResource } from './tenant-payments.ts'
import {
  ApiKeysResource,
  EntitlementsResource,
  RoutingRulesResource,
  TenantsResource,
  UsersResource,
} from './tenants.ts'
import { WebhookDeliveriesResource } from './webhook-deliveries.ts'
import { WebhookEndpointResource } from './webhook-endpoint.ts'
import { WebhookEndpointsResource } from './webhook-endpoints.ts'

/**
 * The client's credential: either an application's API key or a user's access token. Pass exactly one of them.
 *
 * @example
 * const application: Credential = { apiKey: 'gp_test_…' }
 * const user: Credential = { accessToken: () => session.access_token }
 */
export type Credential =
  | {
      /**
       * A live key `gp_live_…` moves real money, but a test key `gp_test_…` does not. Keep the key on your server,
       * never in a web page or an app. Defaults to the environment variable `GAPURA_API_KEY`.
       */
      apiKey?: string | undefined
      accessToken?: undefined
    }
  | {
      /**
       * The access token from `auth.login`. If you pass a function, the client calls it before every attempt, so
       * that it can return a refreshed token.
       */
      accessToken: string | (() => string | Promise<string>)
      apiKey?: undefined
    }

/**
 * Settings of a client.
 *
 * @example
 * const options: GapuraOptions = { apiKey: 'gp_test_…', baseUrl: 'http://127.0.0.1:8080', maxRetries: 0 }
 */
export type GapuraOptions = Credential & {
  /**
   * The service's address, such as `https://pay.example.com`. It may include a path. Redirects are not followed.
   * The default is the environment variable `GAPURA_BASE_URL`.
   */
  baseUrl?: string | undefined
  /**
   * Timeout for one attempt in milliseconds, including the response body (default 30,000). The service waits up to
   * 10 seconds for a provider.
   */
  timeoutMs?: number | undefined
  /** The maximum number of retries after the first attempt (default 2). */
  maxRetries?: number | undefined
  /** Headers to send with every request. They cannot replace a header set by the SDK. */
  headers?: Record<string, string | undefined> | undefined
  /** Replaces the global `fetch`, for example to send requests through a proxy. */
  fetch?: Fetch | undefined
  /** Receives one log message per attempt. Without a logger, the client logs nothing. */
  logger?: Logger | undefined
}

/**
 * A client for the payment and management APIs. Amounts are integer cents: Rp100,000 is `10_000_000`.
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

  /** Creates, reads, lists and cancels payments. */
  readonly payments: PaymentsResource
  /**
   * Login, logout, password reset and invitations. These calls do not send the credential that the client was
   * created with.
   */
  readonly auth: AuthResource
  /** The caller's tenant and user: profile, balance, API keys, users, sessions, password and emails about problems. */
  readonly account: AccountResource
  /** The name, color and logo shown to payers. */
  readonly branding: BrandingResource
  /**
   * The tenant's callback URL and webhook secret. To verify a received webhook, use the export `webhooks` of
   * this package.
   */
  readonly webhookEndpoint: WebhookEndpointResource
  /** Webhook deliveries to the tenant's callback URL. */
  readonly webhookDeliveries: WebhookDeliveriesResource
  /** The endpoints that receive webhooks in addition to the callback URL. */
  readonly webhookEndpoints: WebhookEndpointsResource
  /**
   * Tenants. The Owner (the service operator's tenant) manages all tenants. A Partner (a reseller) manages its
   * Clients (merchants).
   */
  readonly tenants: TenantsResource
  /**
   * Merchants' payments, for support. The Owner (the service's operator) can read the payments of every tenant. A
   * Partner (a reseller) can read the payments of its Clients (merchants).
   */
  readonly tenantPayments: TenantPaymentsResource
  /**
   * The fees for your payments. The Owner (the service's operator) and Partners (resellers) also manage their
   * tenants' fees.
   */
  readonly fees: FeesResource
  /** Request limits for tiers and individual tenants. Only for the Owner (the service's operator). */
  readonly limits: LimitsResource
  /** A tenant's API keys. */
  readonly apiKeys: ApiKeysResource
  /** The users who can log in for a tenant. */
  readonly users: UsersResource
  /** Your second factor: authenticator app, passkeys and recovery codes. */
  readonly secondFactor: SecondFactorResource
  /** The provider accounts a tenant may use. */
  readonly entitlements: EntitlementsResource
  /** The rules that select a provider account for each of a tenant's payments. */
  readonly routingRules: RoutingRulesResource
  /** The payment providers and the operator's accounts with them. Only for the Owner (the service's operator). */
  readonly providers: ProvidersResource
  /**
   * Settlement files, in which a provider lists the payments it settled on a day. Only for the Owner (the service's
   * operator).
   */
  readonly settlements: SettlementsResource
  /**
   * Callbacks: providers' messages reporting that a payment has changed. Only for the Owner (the service's
   * operator).
   */
  readonly providerCallbacks: ProviderCallbacksResource
  /**
   * Challenged payments: those that a provider holds for review, and those for which the payer paid less than the
   * amount. Only for the Owner (the service's operator).
   */
  readonly challengedPayments: ChallengedPaymentsResource
  /**
   * Money received that matches no open payment, and money that a provider took back. Only for the Owner (the
   * service's operator).
   */
  readonly unexpectedMoney: UnexpectedMoneyResource
  /**
   * Charges whose outcome is unknown, for example because the provider's response was lost. Only for the
   * Owner (the service's operator).
   */
  readonly unknownPayments: UnknownPaymentsResource
  /**
   * The caller's ledger and its seal (a hash of its entries). The Owner (the service's operator) can also read
   * the result of verifying the whole ledger.
   */
  readonly ledger: LedgerResource
  /**
   * The daily comparisons of payments with the providers' records, and the differences found. Only for the Owner
   * (the service's operator).
   */
  readonly reconciliation: ReconciliationResource
  /** Reports of payment totals, and the comparison of a day's payments with the providers' records (reconciliation). */
  readonly reports: ReportsResource
  /** Refunds paid payments, and lists refunds and chargebacks. */
  readonly refunds: RefundsResource
  /** The log of requests made with the tenant's API keys. */
  readonly requests: RequestsResource
  /** The audit log, which records management changes. */
  readonly audit: AuditResource

  /**
   * Creates a client. Throws `TypeError` if the base URL or the credential is missing or invalid.
   *
   * @example
   * const gapura = new Gapura() // with GAPURA_API_KEY and GAPURA_BASE_URL in the environment
   */
  constructor(options: GapuraOptions = {}) {
    const { baseUrl = environment('GAPURA_BASE_URL'), timeoutMs = 30_000, maxRetries = 2 } = options
    const { headers = {}, fetch, logger } = options
    const authorization = authorizationOf(options)
    const service = { baseUrl: serviceUrlOf(baseUrl), fetch }
    const call = makeCall({ authorization, ...service, timeoutMs, maxRetries, headers, logger })
    this.#call = call
    this.payments = new PaymentsResource(call)
    this.auth = new AuthResource(call)
    this.account = new AccountResource(call)
    this.branding = new BrandingResource(call)
    this.webhookEndpoint = new WebhookEndpointResource(call)
    this.webhookDeliveries = new WebhookDeliveriesResource(call)
    this.webhookEndpoints = new WebhookEndpointsResource(call)
    this.tenants = new TenantsResource(call)
    this.tenantPayments = new TenantPaymentsResource(call)
    this.fees = new FeesResource(call)
    this.limits = new LimitsResource(call)
    this.apiKeys = new ApiKeysResource(call)
    this.users = new UsersResource(call)
    this.secondFactor = new SecondFactorResource(call)
    this.entitlements = new EntitlementsResource(call)
    this.routingRules = new RoutingRulesResource(call)
    this.providers = new ProvidersResource(call)
    this.settlements = new SettlementsResource(call)
    this.providerCallbacks = new ProviderCallbacksResource(call)
    this.challengedPayments = new ChallengedPaymentsResource(call)
    this.unexpectedMoney = new UnexpectedMoneyResource(call)
    this.unknownPayments = new UnknownPaymentsResource(call)
    this.ledger = new LedgerResource(call)
    this.reconciliation = new ReconciliationResource(call)
    this.reports = new ReportsResource(call)
    this.refunds = new RefundsResource(call)
    this.requests = new RequestsResource(call)
    this.audit = new AuditResource(call)
  }

  /**
   * Returns the providers, methods and channels this credential can use to create payments.
   *
   * @example
   * const { providers } = await gapura.listActiveMethods()
   */
  listActiveMethods(options?: CallOptions): ApiPromise<ActiveMethods> {
    return this.#call.repeatable(listActiveMethods, {}, options)
  }

  /**
   * Calls an operation that has no SDK method, and returns the response's `data`. GET requests are retried as usual.
   * For other requests, pass an `idempotencyKey` if the operation accepts one. Without a key, these requests are
   * retried only if the failed attempt cannot have made the change.
   *
   * @example
   * const tenant = await gapura.request<Tenant>('GET', `/v1/tenants/${tenantId}`)
   *
   * @example
   * await gapura.request('POST', '/v1/tenants', { body: { name: 'Toko Budi' }, idempotencyKey: 'toko-budi' })
   */
  request<Data = unknown>(method: Method, path: string, options: RequestOptions = {}): ApiPromise<Data> {
    return new ApiPromise(requestOf<Data>(this.#call, method, path, options))
  }
}

/**
 * Validates the base URL, so that an invalid URL is reported when the client is created instead of on the first
 * call.
 */
function serviceUrlOf(baseUrl: string | undefined): string {
  if (baseUrl === undefined) throw new TypeError('baseUrl: is required; pass it or set GAPURA_BASE_URL')
  // An invalid URL is not passed to `new URL`, because the error thrown would contain the URL with its
  // password.
  const { href, origin, pathname } = URL.canParse(baseUrl) ? new URL(baseUrl) : ({} as URL)
  const url = origin + pathname
  // Rejects a query or fragment, because paths are appended to the base URL. Also rejects a password, because fetch
  // would throw an error that contains the password.
  if (!/^http/.test(url) || url !== href)
    throw new TypeError('baseUrl: must be an http or https URL with a host and an optional path only')
  return url.replace(/\/+$/, '')
}

/** Returns the Authorization header. Errors about an invalid credential never contain the credential itself. */
function authorizationOf(options: Credential): () => string | Promise<string> {
  const { accessToken, apiKey: given } = options
  if (given !== undefined && accessToken !== undefined)
    throw new TypeError('pass apiKey or accessToken, not both')
  if (accessToken === undefined) {
    const apiKey = given ?? environment('GAPURA_API_KEY')
    if (apiKey === undefined)
      throw new TypeError('apiKey: is required; pass apiKey or accessToken, or set GAPURA_API_KEY')
    if (!isVisible(apiKey)) throw new TypeError('apiKey: must be a key such as gp_test_…')
    return () => `ApiKey ${apiKey}`
  }
  if (typeof accessToken === 'function') return async () => bearer(await accessToken())
  const header = bearer(accessToken)
  return () => header
}

/**
 * Returns an environment variable, or undefined if it cannot be read. Browsers and some workers have no `process`,
 * and Deno may deny access to the variable.
 */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}

function bearer(accessToken: string): string {
  if (!isVisible(accessToken)) throw new TypeError('accessToken: must be the access_token from auth.login')
  return `Bearer ${accessToken}`
}

/**
 * Returns whether the text contains only characters that are valid in a header. If it contains others, fetch throws
 * a TypeError that does not name the header.
 */
const isVisible = (text: string | undefined): boolean =>
  typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)
