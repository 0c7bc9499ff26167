// The port between the service and payment providers. An adapter is a value of type Provider in its own folder.
// Amounts here are in cents; each adapter's translate.ts converts them to the provider's format.

import type { ZodType } from 'zod'
import type { ListedMethodType, MethodData, MethodDetail } from '../payments/method.ts'
import type { Item } from '../payments/payment.ts'
import type { Mode } from '../values/mode.ts'
import { type Cents, rupiah } from '../values/money.ts'

export type Channel = {
  /** The channel's code in lower case, e.g. `bca`. It is `qris` for QRIS. */
  code: string
  name: string
  limits: {
    wholeRupiah: boolean
    minAmount?: Cents
    maxAmount?: Cents
    minExpiryMinutes: number
    maxExpiryMinutes: number
    /** Present if the provider notifies the payer on the phone, so that a charge needs the payer's mobile number. */
    mobileNumber?: true
  }
}

/**
 * The legal maximum of one QRIS payment: Rp10,000,000 since 1 March 2022 (Bank Indonesia, bicara131.bi.go.id
 * KA-01080). A provider may set a lower limit but not a higher one.
 */
export const QRIS_MAX_AMOUNT: Cents = rupiah(10_000_000)

export type ProviderMethod = { type: ListedMethodType; channels: Channel[] }

/** An account with a provider: its credentials and the host to call. */
export type ProviderAccount<Credentials> = {
  id: string
  mode: Mode
  credentials: Credentials
  /**
   * Other credentials that the provider may still use for callbacks. They are set only while a callback is verified.
   */
  otherCredentials?: Credentials[]
  /** The base URL to call instead of the provider's default host for the mode. Null for the default host. */
  baseUrl: string | null
}

export type Charge = {
  /** Our reference, unique across all payments and attempts. The provider receives it as its order id. */
  reference: string
  amount: Cents
  channel: string
  methodDetail: MethodDetail
  customer: { name: string; email: string; phone: string }
  items: Item[]
  startedAt: Date
  expiryMinutes: number
  /** The URL to which the provider sends callbacks for this charge. */
  callbackUrl: string
  /** The URL to which an e-wallet redirects the payer. It has up to 255 characters. */
  returnUrl: string
  /** The payer's IPv4 or IPv6 address, if the merchant sent it. */
  customerIp?: string
  /** The public IPv4 address of this service, if it is known. */
  serviceIp?: string
}

/**
 * The result of a charge that the provider accepted. `methodData.qr_image_url` is empty if the provider draws no QR
 * image; the service then draws one.
 */
export type AcceptedCharge = { providerPaymentId: string; methodData: MethodData }

/** Money returned to the payer, by a refund or by a chargeback. */
export type MoneyReturn = {
  kind: 'refund' | 'chargeback'
  /**
   * The provider's id of this refund or chargeback, identical in every message about it. Null if the message has no id.
   * The message then refers to the only refund (or chargeback) of the payment, or to the first one that the provider
   * lists later.
   */
  id: string | null
  /** The amount of this refund or chargeback alone, never a running total. Null if the message does not include it. */
  amount: Cents | null
  /** The status `failed` means that no money moved, or that the merchant won the chargeback. */
  status: 'pending' | 'succeeded' | 'failed'
}

/** What a verified message from a provider reports about one order. */
export type ProviderUpdate = {
  reference: string
  providerPaymentId: string
  /** All refunds and chargebacks that the message lists, in addition to the fact. Absent if the message lists none. */
  returns?: MoneyReturn[]
  fact: /** methodData: present if the message still has the payment instructions. */
    | { type: 'pending'; methodData?: MethodData }
    /**
     * Money was received. `amountPaid` is the whole amount of this receipt. `paidAt` is absent if the message has no
     * time. `receipt` is the provider's id of this receipt of money, identical in every message and response about it;
     * it is absent if the provider has no such id. Two receipts under one reference are two payments.
     */
    | { type: 'paid'; amountPaid: Cents; paidAt?: Date; receipt?: string }
    | { type: 'failed'; reason: string }
    | { type: 'expired' }
    | { type: 'cancelled' }
    /**
     * The order is no longer payable. The provider has one status for expired and cancelled; the time decides which of
     * the two it is.
     */
    | { type: 'closed' }
    | { type: 'challenged'; reason: string }
    /** The report requires no change of the payment, for example because it is about a refund. */
    | { type: 'nothing'; reason: string }
    /** The message reports a status that its signature does not cover. Only a status inquiry can confirm it. */
    | { type: 'unproven'; reason: string }
}

/** A report from a callback. If `reference` is null, `providerPaymentId` identifies the payment. */
export type CallbackUpdate = Omit<ProviderUpdate, 'reference'> & { reference: string | null }

/** The order to inquire about, with the known part of the provider's response to its charge. */
export type Inquiry = Pick<Charge, 'reference' | 'amount' | 'channel' | 'methodDetail' | 'startedAt'> & {
  /** The provider's id of the order. Null if the response to the charge was never received. */
  providerPaymentId: string | null
  methodData: MethodData | null
}

/**
 * The provider's response to an inquiry. `absent` means that the provider has no such order. `not_reported` means that
 * the provider cannot confirm whether the order exists, so only a callback can settle the payment.
 */
export type InquiryResult = ProviderUpdate | 'absent' | 'not_reported'

export type CallbackRequest = {
  /** The path that the provider called, from the first slash on, including the query. Some providers sign it. */
  path: string
  /** The headers of the request. Their names are in lower case. */
  headers: Record<string, string>
  /** The body of the request, in the exact bytes received. */
  body: Buffer
  receivedAt: Date
}

export type Reply = { contentType: string; body: string }

/**
 * A verified message with a deciding field (reference, status, amount, currency, time or provider id) that
 * cannot be parsed. It is stored for a later fix and never acknowledged, so that the provider retries it.
 */
export type Unreadable = {
  /** The reason names the field and describes the error. */
  reason: string
  /**
   * Every value in the message that may be our reference or a provider id. The service sends a status inquiry for each
   * of these values.
   */
  candidates: string[]
  /**
   * The response that means "processing failed" in the provider's protocol, with an HTTP status that makes the provider
   * retry.
   */
  refusal: Reply & { status: number }
}

/**
 * The result of verifying a callback: whether the provider sent it, according to its signature and the account's
 * credentials.
 */
export type Verification =
  | { verified: true }
  /** The request belongs to the protocol itself, such as SNAP's token request. It gets this reply and is not stored. */
  | { verified: true; reply: Reply }
  | { verified: false; reason: string }

/**
 * What a callback contains. `acknowledgement` is the response, with HTTP 200, that the provider expects once the
 * callback is stored.
 */
export type CallbackReading =
  /** The callback reports about orders. `updates` has at least one entry. */
  | { updates: CallbackUpdate[]; acknowledgement: Reply }
  /** The callback has a known kind that concerns no payment, such as a payout. */
  | { irrelevant: string; acknowledgement: Reply }
  | { unreadable: Unreadable }

/**
 * The limits that the provider publishes for one account. provider-accounts/inquiry-limits.ts keeps the service
 * below them.
 */
export type ProviderInquiryLimits = {
  /** The maximum number of inquiries per minute, for each mode. */
  perMinute?: Record<Mode, number>
  /** The minimum number of seconds between a charge and the first inquiry about its pending payment. */
  earliestSeconds?: number
}

export type Provider<Credentials = never> = {
  code: string
  name: string
  methods: ProviderMethod[]
  credentials: ZodType<Credentials>
  /**
   * Charges an order. It is called once per reference, and never retried after an unknown outcome. Throws
   * ProviderError.
   */
  charge(account: ProviderAccount<Credentials>, charge: Charge): Promise<AcceptedCharge>
  /** Returns the provider's current status of an order. Throws ProviderError. */
  inquire(account: ProviderAccount<Credentials>, inquiry: Inquiry): Promise<InquiryResult>
  /** The limits for this service's automatic inquiries. Absent if the provider publishes none. */
  inquiryLimits?: ProviderInquiryLimits
  /**
   * Returns the references of the given orders that the provider's list shows as unpaid, so that they need no
   * separate inquiry. An omitted order may be in any state and is polled with `inquire`. A list never proves
   * payment. Throws ProviderError.
   */
  listUnpaid?(account: ProviderAccount<Credentials>, inquiries: Inquiry[]): Promise<ReadonlySet<string>>
  /**
   * Approves or denies a payment that the provider holds for suspected fraud. Absent if the provider's API cannot do
   * this. The inquiry that follows shows whether the decision took effect. Throws ProviderError.
   */
  decideChallenge?(
    account: ProviderAccount<Credentials>,
    inquiry: Inquiry,
    verdict: 'approve' | 'deny',
  ): Promise<void>
  /**
   * The names, in lower case, of callback headers that are credentials: anyone who knows such a header could forge a
   * callback.
   */
  secretHeaders?: readonly string[]
  /**
   * Present if callbacks carry a constant token instead of a signature, so that a leaked token authenticates any forged
   * callback.
   */
  callbackProof?: 'static_token'
  /**
   * Verifies a callback. It is called once, when the callback is received. Every check that depends on the account's
   * credentials is made here.
   */
  verifyCallback(account: ProviderAccount<Credentials>, request: CallbackRequest): Verification
  /**
   * Returns what a verified callback reports. The function is pure and does not depend on credentials: a stored
   * callback parses to the same result after its secret headers are redacted or the credentials are replaced.
   */
  readCallback(
    account: Pick<ProviderAccount<unknown>, 'id' | 'mode'>,
    request: CallbackRequest,
  ): CallbackReading
}

/** A provider whose type of credentials is known only to its own folder. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds adapters of every credentials type
export type AnyProvider = Provider<any>

/** The providers by their code. */
export type Providers = ReadonlyMap<string, AnyProvider>

/**
 * Parses JSON from a provider. Returns undefined if it is invalid. A leading byte order mark is ignored, as RFC 8259
 * allows, so that it never causes a payment message to be lost.
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
 * Returns the part of a callback's path after the account's callback address, e.g. `/v1.0/qr/qr-mpm-notify`, without
 * the query. Returns an empty text if the path ends with that address.
 */
export function endpointOf(account: Pick<ProviderAccount<unknown>, 'id'>, path: string): string {
  const address = path.indexOf(`/${account.id}`)
  const [below = ''] = address < 0 ? [''] : path.slice(address + account.id.length + 1).split('?')
  // If the registered address ends with a slash, the protocol's own path follows with a second slash.
  return below === '/' ? '' : below.replace(/^\/\//, '/')
}

/**
 * The kinds of errors of a charge:
 *
 * - `declined`: the provider rejected this order; nothing was created.
 * - `inactive`: this account may not use the channel; nothing was created, and another account may be tried.
 * - `unavailable`: nothing was created, and a retry may succeed.
 * - `invalid`: the provider rejected our request as malformed; nothing was created.
 * - `unknown`: the order may or may not have been created.
 */
export type ProviderErrorKind = 'declined' | 'inactive' | 'unavailable' | 'invalid' | 'unknown'

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: ProviderErrorKind

  /** `message` is shown to the merchant, so it must never contain credentials. */
  constructor(kind: ProviderErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The error of an inquiry that the provider rejected because of its rate limit. */
export class RateLimitedError extends ProviderError {
  override name = 'RateLimitedError'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('unavailable', 'rate limit exceeded')
    this.retryAfterMs = retryAfterMs
  }
}

/** Makes text from a provider safe to store and return: one line, no control characters, up to 300 characters. */
export function toSafeText(words: string): string {
  return words
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
}
