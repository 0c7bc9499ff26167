import {
  ConnectionError,
  type ErrorFacts,
  errorOf,
  GapuraError,
  InvalidStateTransitionError,
  UnexpectedAnswerError,
} from './errors.ts'
import { type Client, createClient } from './generated/client/index.ts'
import {
  type ActiveMethods,
  type Balance,
  type CreatePayment,
  cancelPayment,
  createPayment,
  type Failure,
  getBalance,
  getPayment,
  type LedgerEntry,
  listActiveMethods,
  listPaymentLedger,
  type Payment,
} from './generated/index.ts'
import { retryAfterMsOf, within, withRetries } from './retry.ts'

/**
 * Settings of a client.
 *
 * @example
 * const options: GapuraOptions = { apiKey: 'gp_test_…', baseUrl: 'http://127.0.0.1:8080', maxRetries: 0 }
 */
export type GapuraOptions = {
  /** `gp_live_…` moves real money, `gp_test_…` none. Keep it out of pages and apps. */
  apiKey: string
  /** Where the service is, such as `https://pay.example.com`. */
  baseUrl: string
  /** For one try, the body included (30,000). The service itself gives a provider 10 seconds. */
  timeoutMs?: number | undefined
  /** Tries after the first (2). */
  maxRetries?: number | undefined
  /** Instead of the global `fetch`; it is called with a `Request`. */
  fetch?: typeof globalThis.fetch | undefined
}

/**
 * How to create.
 *
 * @example
 * const options: CreateOptions = { idempotencyKey: 'order-1001' }
 */
export type CreateOptions = {
  /**
   * One for each order, for ever: 1 to 255 visible ASCII characters. Your order number is a good one: it
   * survives a crash of yours. Without it each call makes its own, which covers that call's retries only.
   */
  idempotencyKey?: string | undefined
}

/** What a generated operation answers. */
type Answer<Data> = {
  data?: { success: true; data: Data } | undefined
  error?: unknown
  request?: Request
  response?: Response
}

/**
 * A client of the payment API. Amounts are integer cents: Rp100,000 is `10_000_000`.
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
 * if (payment.method_data.type === 'virtual_account') console.log(payment.method_data.va_number)
 */
export class Gapura {
  readonly #client: Client
  readonly #origin: string
  readonly #timeoutMs: number
  readonly #maxRetries: number

  constructor({ apiKey, baseUrl, timeoutMs = 30_000, maxRetries = 2, fetch }: GapuraOptions) {
    // Anything else in a header is a TypeError of fetch, which would name neither the key nor its owner.
    if (!/^[\x21-\x7e]+$/.test(apiKey ?? '')) throw new TypeError('apiKey: a key such as gp_test_… is needed')
    this.#origin = new URL(baseUrl).origin
    this.#timeoutMs = timeoutMs
    this.#maxRetries = maxRetries
    this.#client = createClient({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { Authorization: `ApiKey ${apiKey}` },
      ...(fetch && { fetch }),
    })
  }

  /** Create payments and follow them. */
  readonly payments = {
    /**
     * Creates a payment. `method_data` of the answer holds what the payer needs to pay.
     *
     * @example
     * const { method_data } = await gapura.payments.create(
     *   { amount: 2_500_000, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } },
     *   { idempotencyKey: 'order-1002' },
     * )
     */
    create: async (
      order: CreatePayment,
      { idempotencyKey = crypto.randomUUID() }: CreateOptions = {},
    ): Promise<Payment> => {
      const headers = { 'X-Idempotency-Key': idempotencyKey }
      try {
        return await this.#call(options => createPayment({ ...options, body: order, headers }))
      } catch (error) {
        if (error instanceof GapuraError) error.idempotencyKey = idempotencyKey
        throw error
      }
    },

    /**
     * The payment as it stands now.
     *
     * @example
     * const { status } = await gapura.payments.get('01990000-0000-7000-8000-000000000001')
     */
    get: (id: string): Promise<Payment> =>
      this.#call(options => getPayment({ ...options, path: { payment_id: id } })),

    /**
     * Cancels a pending or challenged payment. The provider is not told: money that arrives all the same
     * makes the payment paid.
     *
     * @example
     * await gapura.payments.cancel('01990000-0000-7000-8000-000000000001')
     */
    cancel: async (id: string): Promise<Payment> => {
      let tries = 0
      try {
        return await this.#call(options => {
          tries++
          return cancelPayment({ ...options, path: { payment_id: id } })
        })
      } catch (error) {
        if (tries === 1 || !(error instanceof InvalidStateTransitionError)) throw error
        // An earlier try of ours may have cancelled it, its answer lost.
        const payment = await this.payments.get(id)
        if (payment.status !== 'cancelled') throw error
        return payment
      }
    },

    /**
     * What the payment moved on the balance, in order; empty before it is paid.
     *
     * @example
     * const [credit] = await gapura.payments.ledger('01990000-0000-7000-8000-000000000001')
     */
    ledger: (id: string): Promise<LedgerEntry[]> =>
      this.#call(options => listPaymentLedger({ ...options, path: { payment_id: id } })),
  }

  /**
   * The providers, methods and channels that this key can create payments with.
   *
   * @example
   * const { providers } = await gapura.activeMethods()
   */
  activeMethods(): Promise<ActiveMethods> {
    return this.#call(options => listActiveMethods(options))
  }

  /**
   * The balance in the key's mode, in cents.
   *
   * @example
   * const { balance } = await gapura.balance()
   */
  balance(): Promise<Balance> {
    return this.#call(options => getBalance(options))
  }

  #call<Data>(send: (options: { client: Client; signal: AbortSignal }) => Promise<Answer<Data>>) {
    return withRetries(this.#maxRetries, () =>
      within(this.#timeoutMs, async signal => this.#open(await send({ client: this.#client, signal }))),
    )
  }

  /** Takes the envelope off. */
  #open<Data>({ data, error, request, response }: Answer<Data>): Data {
    // Nothing was sent: a mistake in the call, not of the network.
    if (!request) throw error
    if (!response) throw new ConnectionError(this.#origin, error)
    if (data?.success === true && 'data' in data) return data.data
    // The status came, the body did not.
    if (error instanceof Error && !(error instanceof SyntaxError))
      throw new ConnectionError(this.#origin, error)
    const facts: ErrorFacts = {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterMsOf(response.headers.get('retry-after')),
    }
    throw isFailure(error) ? errorOf(error.error, facts) : new UnexpectedAnswerError(this.#origin, facts)
  }
}

function isFailure(body: unknown): body is Failure {
  const { success, error } = (body ?? {}) as Partial<Failure>
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string'
}
