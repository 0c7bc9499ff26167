// The interface between the service and payment providers. An adapter is a value of type Provider in its own
// folder. Amounts here are in cents; each adapter's translate.ts converts them to the provider's format.

import type { ZodType } from 'zod'
import type { ListedMethodType, MethodData, MethodDetail } from '../payments/method.ts'
import type { Item } from '../payments/payment.ts'
import type { Mode } from '../values/mode.ts'
import { type Cents, rupiah } from '../values/money.ts'
import type { RefundOutcome, RefundStatus } from './refund.ts'
import type { RefundTerms } from './refund-terms.ts'
import type { Rejection } from './rejection.ts'

export type Channel = {
  /** The channel's lowercase code, for example `bca`. The QRIS channel's code is `qris`. */
  code: string
  name: string
  limits: {
    wholeRupiah: boolean
    minAmount?: Cents
    maxAmount?: Cents
    minExpiryMinutes: number
    maxExpiryMinutes: number
    /**
     * True if a charge through this channel needs the payer's mobile number, because the provider sends a notification
     * to the payer's phone. Otherwise absent.
     */
    mobileNumber?: true
  }
  /** The channel's refund terms. Absent if the provider's API cannot refund payments made through this channel. */
  refund?: RefundTerms
}

/**
 * The legal maximum for a QRIS payment: Rp10,000,000 since 1 March 2022 (Bank Indonesia, bicara131.bi.go.id
 * KA-01080). A provider may set a lower limit.
 */
export const QRIS_MAX_AMOUNT: Cents = rupiah(10_000_000)

export type ProviderMethod = { type: ListedMethodType; channels: Channel[] }

/** An account with a provider, consisting of its credentials and the host to call. */
export type ProviderAccount<Credentials> = {
  id: string
  mode: Mode
  credentials: Credentials
  /**
   * Further credentials with which callbacks may be signed, such as recently replaced ones. Set only while a callback
   * is being verified.
   */
  otherCredentials?: Credentials[]
  /** Replaces the provider's default base URL. Null if the default is used. */
  baseUrl: string | null
}

export type Charge = {
  /** Our reference for this charge, unique across all payments and attempts. The provider stores it as its order id. */
  reference: string
  amount: Cents
  channel: string
  methodDetail: MethodDetail
  customer: { name: string; email: string; phone: string }
  items: Item[]
  startedAt: Date
  expiryMinutes: number
  /** The URL to which the provider sends this charge's callbacks. */
  callbackUrl: string
  /** The URL an e-wallet redirects the payer to, at most 255 characters. */
  returnUrl: string
  /** The payer's IPv4 or IPv6 address, if the merchant provided one. */
  customerIp?: string
  /** This service's public IPv4 address, if configured. */
  serviceIp?: string
}

/**
 * A charge that the provider accepted. If the provider returns no QR image, `methodData.qr_image_url` is empty and the
 * service creates the image.
 */
export type AcceptedCharge = { providerPaymentId: string; methodData: MethodData }

/** Money returned to the payer, by a refund or by a chargeback. */
export type MoneyReturn = {
  kind: 'refund' | 'chargeback'
  /**
   * The provider's id for this refund or chargeback, which is the same in every message. Null if the message contains
   * no id. The payment then has only one refund (or chargeback) so far. If a later message lists several with ids, the
   * first of them is this refund.
   */
  id: string | null
  /**
   * The reference under which the provider stores this refund. If this service requested the refund, it is our
   * reference. A refund made elsewhere, such as in the provider's dashboard, has a different reference. Absent if
   * the message contains no reference.
   */
  reference?: string
  /** The amount of this refund or chargeback alone, never a running total. Null if the message has no amount. */
  amount: Cents | null
  /** `failed` means that the refund moved no money, or that the merchant won the chargeback. */
  status: 'pending' | 'succeeded' | 'failed'
}

/**
 * The provider received money. `paidAt` is absent if the message contains no payment time. `receipt` is the provider's
 * id for this money, the same in every message about it. It is absent if the provider has no such id. If two messages
 * with the same reference have different `receipt` ids, the payer paid twice.
 */
export type PaidFact = { type: 'paid'; amountPaid: Cents; paidAt?: Date; receipt?: string }

/** What a verified message from a provider reports about one order. */
export type ProviderUpdate = {
  reference: string
  providerPaymentId: string
  /** All refunds and chargebacks that the message lists. Absent if the message lists no refund or chargeback. */
  returns?: MoneyReturn[]
  fact: /** The order is not paid yet. If the message contains the payment instructions, they are in `methodData`. */
    | { type: 'pending'; methodData?: MethodData }
    | PaidFact
    | { type: 'failed'; reason: string }
    | { type: 'expired' }
    | { type: 'cancelled' }
    /**
     * The order can no longer be paid, and the provider does not report why. Before the payment's expiry time, the
     * service treats the payment as cancelled; afterwards, as expired.
     */
    | { type: 'closed' }
    /**
     * The provider is holding the payment for a fraud check, or could not verify the payer. Later, the payment either
     * succeeds or is denied. `claim` is present if the provider reports that the money was received.
     */
    | { type: 'challenged'; reason: string; claim?: Claim }
    /** The message does not change the payment's status, for example because it is about a refund. */
    | { type: 'nothing'; reason: string }
    /**
     * The callback does not prove the payment's status, so a status inquiry must confirm it. For example, the
     * callback's signature may not cover the status. If `claimsPayment` is set, the callback reports a payment, and the
     * inquiry is repeated for up to a minute until it confirms a payment. If the callback matches no payment,
     * `ifUnmatched` (received money in a signed callback) is recorded as unexpected money.
     */
    | { type: 'unproven'; reason: string; claimsPayment?: true; ifUnmatched?: PaidFact }
}

/** Money that a provider reports as received, but that is not credited without a confirmation. */
export type Claim = { amountPaid: Cents; paidAt?: Date; receipt?: string }

/** What a callback reports about one order. If `reference` is null, `providerPaymentId` identifies the payment. */
export type CallbackUpdate = Omit<ProviderUpdate, 'reference'> & { reference: string | null }

/** The data for a status inquiry about an order, including data from the charge response. */
export type Inquiry = Pick<Charge, 'reference' | 'amount' | 'channel' | 'methodDetail' | 'startedAt'> & {
  /** The provider's id for the order. Null if the service never received the response to the charge. */
  providerPaymentId: string | null
  methodData: MethodData | null
  /**
   * The order's known refunds and chargebacks, or absent if there are none. If an order's status does not list them,
   * but the provider has separate requests for them, the adapter sends these requests, too.
   */
  reportedReturns?: MoneyReturn[]
}

/**
 * The result of a status inquiry. `absent`: the provider has no such order. `not_reported`: the response does not show
 * whether it has the order, so only a callback can report the outcome. `mayOmitReturns`: the response may omit refunds.
 */
export type InquiryResult = (ProviderUpdate & { mayOmitReturns?: true }) | 'absent' | 'not_reported'

export type CallbackRequest = {
  /** The path the provider called, including the query. Some providers sign the path. */
  path: string
  /** The request's headers, with lowercase names. */
  headers: Record<string, string>
  /** The exact bytes of the request body. Signatures are computed over these bytes. */
  body: Buffer
  receivedAt: Date
}

export type Reply = { contentType: string; headers?: Record<string, string>; body: string }

/**
 * A message with a valid signature but an invalid reference, status, amount, currency, time or provider id.
 * The service stores it without acknowledging it, so that the provider sends it again.
 */
export type Unreadable = {
  /** Names the message's invalid field and describes the problem. */
  reason: string
  /**
   * All values in the message that may be our reference or a provider id. The service sends one status inquiry for each
   * of them.
   */
  candidates: string[]
  /**
   * The response that reports a failure in the provider's protocol. Its HTTP status causes the provider to send the
   * message again.
   */
  refusal: Reply & { status: number }
}

/**
 * The result of verifying that a callback comes from the provider, based on its signature and the account's
 * credentials.
 */
export type Verification =
  | { verified: true }
  /**
   * The request is not a callback, but another part of the provider's protocol, such as SNAP's token request.
   * The service responds with `reply` and stores nothing.
   */
  | { verified: true; reply: Reply }
  | { verified: false; reason: Rejection }

/**
 * A callback's content. `acknowledgement` is the response body the provider expects. The service sends it with HTTP
 * 200 once it has stored the callback.
 */
export type CallbackReading =
  /** The callback is about one or more orders. */
  | { updates: CallbackUpdate[]; acknowledgement: Reply }
  /** The callback is about something other than a payment, such as a payout. */
  | { irrelevant: string; acknowledgement: Reply }
  | { unreadable: Unreadable }

/** A refund to request from the provider. */
export type Refund = {
  /**
   * Our reference for this refund, `<payment_code>-R<n>`, which is unique across all refunds. A repeated request
   * has the same reference, so the provider makes the refund only once.
   */
  reference: string
  amount: Cents
  /** The merchant's reason, on one line. Empty if the merchant gave no reason. */
  reason: string
  /** The paid order, with the order's amount (not the amount paid) and the charge's reference. */
  order: Inquiry
  amountPaid: Cents
  /**
   * True if an earlier refund request with this reference had an unknown outcome. A rejection of the repeated request
   * does not show whether the earlier request succeeded, so the outcome then stays unknown.
   */
  isRepeated: boolean
  /** This service's public IPv4 address, if configured. */
  serviceIp?: string
}

export type RefundInquiryResult = {
  status: RefundStatus
  /**
   * All of the order's refunds and chargebacks listed in the response, including those made at the provider and
   * not through this service.
   */
  returns: MoneyReturn[]
}

/** A provider's refund calls. `Account` is a provider account with its credentials. */
export type RefundCalls<Account> = {
  /**
   * Requests a refund. Never throws a ProviderError. If an error's meaning for the refund is not documented, the
   * outcome is `unknown`. Call this function outside any transaction, after the refund was debited.
   */
  refund(account: Account, refund: Refund): Promise<RefundOutcome>
  /** Returns a refund's status at the provider. The only ProviderError it throws is RateLimitedError. */
  inquireRefund(account: Account, refund: Refund): Promise<RefundInquiryResult>
}

/** The rate limits a provider publishes for one account. provider-accounts/inquiry-limits.ts enforces them. */
export type ProviderInquiryLimits = {
  /** The maximum number of inquiries per minute, for each mode. */
  perMinute?: Record<Mode, number>
  /** The seconds between a charge and its first inquiry. Until then, a report that the order is missing is ignored. */
  earliestSeconds?: number
}

export type Provider<Credentials = never> = {
  code: string
  name: string
  methods: ProviderMethod[]
  credentials: ZodType<Credentials>
  /**
   * Charges an order. The service calls this function only once per reference, because a retry after an
   * unknown outcome could charge the payer twice. Throws ProviderError.
   */
  charge(account: ProviderAccount<Credentials>, charge: Charge): Promise<AcceptedCharge>
  /** Returns an order's current status at the provider. Throws ProviderError. */
  inquire(account: ProviderAccount<Credentials>, inquiry: Inquiry): Promise<InquiryResult>
  /** The provider's limits on status inquiries. Absent if the provider publishes no limits. */
  inquiryLimits?: ProviderInquiryLimits
  /**
   * Returns the references of the given orders that the provider lists as unpaid. Each listed order saves one status
   * inquiry. The status of all other orders is unknown, so `inquire` must be called for them. Throws ProviderError.
   */
  listUnpaid?(account: ProviderAccount<Credentials>, inquiries: Inquiry[]): Promise<ReadonlySet<string>>
  /**
   * Approves or denies a payment the provider holds for suspected fraud. A later status inquiry shows the effect.
   * Absent if the provider's API has no such call. Throws ProviderError.
   */
  decideChallenge?(
    account: ProviderAccount<Credentials>,
    inquiry: Inquiry,
    verdict: 'approve' | 'deny',
  ): Promise<void>
  /** True if the provider does not report won chargebacks. Inquiry responses list all other chargebacks. */
  omitsWonChargebacks?: true
  /** The provider's refund calls. Absent if the provider's API does not support refunds. */
  refunds?: RefundCalls<ProviderAccount<Credentials>>
  /**
   * The lowercase names of callback headers that contain credentials. These headers are redacted, because anyone
   * who knows their values could forge a callback.
   */
  secretHeaders?: readonly string[]
  /**
   * Present if callbacks contain a constant token instead of a signature. Anyone who knows this token can forge
   * callbacks.
   */
  callbackProof?: 'static_token'
  /**
   * Verifies a callback when it is received. This function makes all checks that require the account's credentials.
   */
  verifyCallback(account: ProviderAccount<Credentials>, request: CallbackRequest): Verification
  /**
   * Returns what a verified callback reports. The function is pure and needs no credentials. A stored callback can
   * therefore be parsed again after its secret headers are redacted or the credentials change.
   */
  readCallback(
    account: Pick<ProviderAccount<unknown>, 'id' | 'mode'>,
    request: CallbackRequest,
  ): CallbackReading
}

/** Any provider. Only the code in the provider's folder knows the type of its credentials. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds adapters of every credentials type
export type AnyProvider = Provider<any>

/** All providers, by provider code. */
export type Providers = ReadonlyMap<string, AnyProvider>

/**
 * Parses JSON from a provider, or returns undefined if it is invalid. Ignores a leading byte order mark, as RFC
 * 8259 allows, so that no message is lost.
 */
export function parseProviderJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
const utf8 = new TextDecoder()

/**
 * Returns the rest of a callback's path after the account's callback address, without the query, for example
 * `/v1.0/qr/qr-mpm-notify`. Returns an empty string if nothing follows the address.
 */
export function endpointOf(account: Pick<ProviderAccount<unknown>, 'id'>, path: string): string {
  const address = path.indexOf(`/${account.id}`)
  const [below = ''] = address < 0 ? [''] : path.slice(address + account.id.length + 1).split('?')
  // The path starts with two slashes if the callback address was registered with a trailing slash.
  return below === '/' ? '' : below.replace(/^\/\//, '/')
}

/**
 * Why a charge failed:
 *
 * - `declined`: the provider rejected this order, and nothing was created.
 * - `inactive`: this account may not use the channel. Nothing was created, and another account may be tried.
 * - `unavailable`: the provider created nothing that the payer can pay, and a retry may succeed. This includes a 503:
 *   an order may exist, but it cannot be paid without the payment instructions, which the response did not contain. If
 *   the provider notifies the payer's phone (`mobileNumber`), the payer needs no instructions, so a 503 is `unknown`.
 * - `invalid`: the provider rejected our request as malformed, and nothing was created.
 * - `unknown`: the order may or may not have been created.
 */
export type ProviderErrorKind = 'declined' | 'inactive' | 'unavailable' | 'invalid' | 'unknown'

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: ProviderErrorKind

  /** `message` is shown to the merchant, so it must not contain provider account credentials. */
  constructor(kind: ProviderErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Thrown if the provider rejects an inquiry because the account exceeded the rate limit. */
export class RateLimitedError extends ProviderError {
  override name = 'RateLimitedError'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('unavailable', 'rate limit exceeded')
    this.retryAfterMs = retryAfterMs
  }
}

/** Makes a provider's text safe to store and return: one line, no control characters, up to 300 characters. */
export function toSafeText(words: string): string {
  return words
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
}
