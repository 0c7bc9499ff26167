// The port: what the service asks of a payment provider, and what a provider can tell it. An adapter is a
// value of type Provider in a folder of its own; amounts are cents here and become the provider's notation
// in its translate.ts.

import type { ZodType } from 'zod'
import type { Mode } from '../mode.ts'
import { type Cents, rupiah } from '../money.ts'
import type { ListedMethodType, MethodData, MethodDetail } from '../payments/method.ts'
import type { Item } from '../payments/payment.ts'

export type Channel = {
  /** Lower case, e.g. `bca`; `qris` for QRIS. */
  code: string
  name: string
  limits: {
    wholeRupiah: boolean
    minAmount?: Cents
    maxAmount?: Cents
    minExpiryMinutes: number
    maxExpiryMinutes: number
    /** It asks the payer on the phone, so it has to know the number. */
    mobileNumber?: true
  }
}

/**
 * The legal maximum of one QRIS payment, Rp10,000,000 since 1 March 2022 (Bank Indonesia, bicara131.bi.go.id
 * KA-01080). A provider may allow less, never more.
 */
export const QRIS_MAX_AMOUNT: Cents = rupiah(10_000_000)

export type ProviderMethod = { type: ListedMethodType; channels: Channel[] }

/** One contract with a provider: whose credentials, and which of its hosts. */
export type ProviderAccount<Credentials> = {
  id: string
  mode: Mode
  credentials: Credentials
  /** Further credentials that the provider may still use for callbacks. Present while a callback is verified. */
  otherCredentials?: Credentials[]
  /** Replaces the provider's own host for the mode. */
  baseUrl: string | null
}

export type Charge = {
  /** Ours, unique over all payments and tries; the provider gets it as its order id. */
  reference: string
  amount: Cents
  channel: string
  methodDetail: MethodDetail
  customer: { name: string; email: string; phone: string }
  items: Item[]
  startedAt: Date
  expiryMinutes: number
  /** Where the provider is to send its callbacks for this charge. */
  callbackUrl: string
  /** Where a wallet sends the payer after its own page. At most 255 characters. */
  returnUrl: string
  /** IP address of the payer, where the merchant sent it: IPv4 or IPv6. */
  customerIp?: string
  /** Public IPv4 address of this service, where it is known. */
  serviceIp?: string
}

/** qr_image_url of methodData is empty where the provider draws no picture; the service then has one of its own. */
export type Accepted = { providerPaymentId: string; methodData: MethodData }

/** Money that went back to the payer: by a refund, or because the payer's bank took it back. */
export type MoneyReturn = {
  kind: 'refund' | 'chargeback'
  /**
   * The provider's id of this return, the same in every message about it. Null where the message has none: it is then
   * about the only return of this kind, or about the first one that the provider lists later.
   */
  id: string | null
  /** Of this return alone, never a running total. Null where the message does not give it. */
  amount: Cents | null
  /** failed: certainly no money moved, or a chargeback was won. */
  status: 'pending' | 'succeeded' | 'failed'
}

/** What a verified message of a provider says about one order. */
export type ProviderReport = {
  reference: string
  providerPaymentId: string
  /** Every return of money that the message lists, beside the fact. Absent where it lists none. */
  returns?: MoneyReturn[]
  fact: /** methodData: present where the message still carries what the payer needs. */
    | { type: 'pending'; methodData?: MethodData }
    /**
     * amountPaid: all that this receipt brought. paidAt: absent where the message does not say. receipt: the
     * provider's own id of this very arrival of money, the same in every message and answer about it; absent
     * where it has none. Two receipts under one reference are two payments.
     */
    | { type: 'paid'; amountPaid: Cents; paidAt?: Date; receipt?: string }
    | { type: 'failed'; reason: string }
    | { type: 'expired' }
    | { type: 'cancelled' }
    /** It can not be paid any more, and the provider has one word for an expiry and a cancellation: the time tells. */
    | { type: 'closed' }
    | { type: 'challenged'; reason: string }
    /** Nothing of ours follows, e.g. a refund. */
    | { type: 'nothing'; reason: string }
    /** It claims a state that its signature does not cover: only an inquiry can tell. */
    | { type: 'unproven'; reason: string }
}

/** A report as a callback carries it. Without a reference of ours, providerPaymentId identifies the payment. */
export type CallbackReport = Omit<ProviderReport, 'reference'> & { reference: string | null }

/** What the charge asked for, with what is known of its answer. */
export type Inquiry = Pick<Charge, 'reference' | 'amount' | 'channel' | 'methodDetail' | 'startedAt'> & {
  /** Null where the answer to the charge was never heard. */
  providerPaymentId: string | null
  methodData: MethodData | null
}

/**
 * `absent`: it certainly has no such order. `untold`: it has no way to tell, so neither presence nor absence
 * follows and only a callback can settle it.
 */
export type ProviderWord = ProviderReport | 'absent' | 'untold'

export type CallbackRequest = {
  /** As the provider called it, from the first slash on, query included; it is part of what some sign. */
  path: string
  /** Lower-case names. */
  headers: Record<string, string>
  /** The exact bytes. */
  body: Buffer
  receivedAt: Date
}

export type Reply = { contentType: string; body: string }

/**
 * A verified message whose deciding fields (reference, status, amount, currency, time, provider id) cannot be
 * understood. It is stored for a later fix and never acknowledged, so that the provider sends it again.
 */
export type Unreadable = {
  /** Names the field and what is wrong with it. */
  reason: string
  /** Everything in the message that may be a reference or a provider id of ours; each is inquired about. */
  candidates: string[]
  /** The protocol's own form of "processing failed", with the HTTP status that makes the provider retry. */
  refusal: Reply & { status: number }
}

/** Whether the provider sent a callback, as its signature and the account's credentials show. */
export type Verification =
  | { verified: true }
  /** A request of the protocol itself, such as SNAP's token call: it gets this reply, and nothing is stored. */
  | { verified: true; reply: Reply }
  | { verified: false; reason: string }

/** acknowledgement: what the provider expects, with HTTP 200, once the message is stored. */
export type CallbackReading =
  /** At least one. */
  | { reports: CallbackReport[]; acknowledgement: Reply }
  /** Understood, and of a known kind that concerns no payment, such as a payout. */
  | { irrelevant: string; acknowledgement: Reply }
  | { unreadable: Unreadable }

/** As the provider publishes them, for one account. The service stays below (provider-accounts/inquiry-limits.ts). */
export type InquiryBounds = {
  /** Inquiries a minute. */
  perMinute?: Record<Mode, number>
  /** How long after the charge the first inquiry of a pending payment may be made. */
  earliestSeconds?: number
}

export type Provider<Credentials = never> = {
  code: string
  name: string
  methods: ProviderMethod[]
  credentials: ZodType<Credentials>
  /** Throws ProviderError. Called once for a reference, never again after an unknown outcome. */
  charge(account: ProviderAccount<Credentials>, charge: Charge): Promise<Accepted>
  /** The provider's present word. Throws ProviderError. */
  inquire(account: ProviderAccount<Credentials>, inquiry: Inquiry): Promise<ProviderWord>
  /** Bounds on the inquiries that the service makes by itself; absent where the provider publishes none. */
  inquiries?: InquiryBounds
  /**
   * Of these orders, the references of those that the provider's list shows to be unpaid still, so that they need no
   * inquiry each. An order that is left out may be in any state: it is asked about by `inquire`. A list never proves
   * payment. Throws ProviderError.
   */
  listUnpaid?(account: ProviderAccount<Credentials>, inquiries: Inquiry[]): Promise<ReadonlySet<string>>
  /**
   * Approves or denies a payment that the provider holds on suspicion of fraud. Absent where its API cannot. Whether it
   * took effect, the inquiry that follows tells. Throws ProviderError.
   */
  settleChallenge?(
    account: ProviderAccount<Credentials>,
    inquiry: Inquiry,
    verdict: 'approve' | 'deny',
  ): Promise<void>
  /** Headers of its callbacks, in lower case, that are a credential: whoever knows one could send the next. */
  secretHeaders?: readonly string[]
  /** Its callbacks carry a constant token instead of a signature: a copy of one proves every forged one. */
  callbackProof?: 'static_token'
  /** Called once, at receipt. Everything that depends on the account's credentials is checked here. */
  verifyCallback(account: ProviderAccount<Credentials>, request: CallbackRequest): Verification
  /**
   * What a verified request reports. Pure, and without credentials: a stored request reads the same after its
   * secret headers are redacted and the credentials are replaced.
   */
  readCallback(
    account: Pick<ProviderAccount<unknown>, 'id' | 'mode'>,
    request: CallbackRequest,
  ): CallbackReading
}

/** A provider whose credentials' shape only its own folder knows. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds adapters of every credentials type
export type AnyProvider = Provider<any>

/**
 * JSON as a provider sends it; undefined where it is none. A byte order mark in front is no part of it (RFC 8259 lets
 * a reader ignore it): for its sake no message about money is to be lost.
 */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
const utf8 = new TextDecoder()

/**
 * What a callback's path has below the address of its account, e.g. `/v1.0/qr/qr-mpm-notify`; empty where
 * nothing follows. Without the query.
 */
export function endpointOf(account: Pick<ProviderAccount<unknown>, 'id'>, path: string): string {
  const address = path.indexOf(`/${account.id}`)
  const [below = ''] = address < 0 ? [''] : path.slice(address + account.id.length + 1).split('?')
  // An address that was registered with a slash at its end has two before what the protocol appends.
  return below === '/' ? '' : below.replace(/^\/\//, '/')
}

/**
 * - `declined`: a definite refusal of this order; nothing was created;
 * - `inactive`: this account may not use the channel; nothing was created, and another account may take it;
 * - `unavailable`: certainly nothing was created, and another try may succeed;
 * - `invalid`: the provider found our request malformed; nothing was created;
 * - `unknown`: anything may have happened.
 */
export type ProviderErrorKind = 'declined' | 'inactive' | 'unavailable' | 'invalid' | 'unknown'

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: ProviderErrorKind

  /** message: shown to the merchant; never holds credentials. */
  constructor(kind: ProviderErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** An inquiry was refused by the provider's rate limit. */
export class RateLimitedError extends ProviderError {
  override name = 'RateLimitedError'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('unavailable', 'rate limit exceeded')
    this.retryAfterMs = retryAfterMs
  }
}

/** A provider's own words, fit to be kept and passed on: one line, no control characters, at most 300 characters. */
export function quoted(words: string): string {
  return words
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
}
