// The port: what the service asks of a payment provider, and what a provider can tell it. An adapter is a
// value of type Provider in a folder of its own; amounts are cents here and become the provider's notation
// in its translate.ts.

import type { ZodType } from 'zod'
import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
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
  }
}

export type ProviderMethod = { type: ListedMethodType; channels: Channel[] }

/** One contract with a provider: whose credentials, and which of its hosts. */
export type ProviderAccount<Credentials> = {
  id: string
  mode: Mode
  credentials: Credentials
  /** Replaces the provider's own host for the mode. */
  baseUrl: string | null
}

export type Charge = {
  /** Ours, unique over all payments; the provider gets it as its order id. */
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
}

export type Accepted = { providerPaymentId: string; methodData: MethodData }

/** What a verified message of a provider says about one order. */
export type ProviderReport = {
  reference: string
  providerPaymentId: string
  fact: /** instructions: present where the message still carries what the payer needs. */
    | { type: 'pending'; methodData?: MethodData }
    /** paidAt: absent where the message does not say. */
    | { type: 'paid'; amountPaid: Cents; paidAt?: Date }
    | { type: 'failed'; reason: string }
    | { type: 'expired' }
    | { type: 'cancelled' }
    | { type: 'challenged'; reason: string }
    /** Nothing of ours follows, e.g. a refund. */
    | { type: 'nothing'; reason: string }
    /** It claims a state that its signature does not cover: only an inquiry can tell. */
    | { type: 'unproven'; reason: string }
}

/** methodDetail: of the payment, where its instructions are wanted too. */
export type Inquiry = {
  reference: string
  providerPaymentId: string | null
  methodDetail: MethodDetail | null
}

export type CallbackRequest = {
  /** Lower-case names. */
  headers: Record<string, string>
  /** The exact bytes. */
  body: Buffer
}

export type CallbackReading =
  | { verified: true; reports: ProviderReport[] }
  | { verified: false; reason: string }

export type Provider<Credentials = never> = {
  code: string
  name: string
  methods: ProviderMethod[]
  credentials: ZodType<Credentials>
  /** Throws ProviderError. Called once for a reference, never again after an unknown outcome. */
  charge(account: ProviderAccount<Credentials>, charge: Charge): Promise<Accepted>
  /** The provider's present word; `absent` where it certainly has no such order. Throws ProviderError. */
  inquire(account: ProviderAccount<Credentials>, inquiry: Inquiry): Promise<ProviderReport | 'absent'>
  /** Pure: the same bytes read the same at any later time. */
  readCallback(account: ProviderAccount<Credentials>, request: CallbackRequest): CallbackReading
  /** What the provider expects to hear when its callback was taken. */
  acknowledgement: { contentType: string; body: string }
}

/** A provider whose credentials' shape only its own folder knows. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds adapters of every credentials type
export type AnyProvider = Provider<any>

/**
 * - `declined`: a definite refusal of this order; nothing was created;
 * - `unavailable`: certainly nothing was created, and another try may succeed;
 * - `invalid`: the provider found our request malformed; nothing was created;
 * - `unknown`: anything may have happened.
 */
export type ProviderErrorKind = 'declined' | 'unavailable' | 'invalid' | 'unknown'

export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: ProviderErrorKind

  /** message: shown to the merchant; never holds credentials. */
  constructor(kind: ProviderErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
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
