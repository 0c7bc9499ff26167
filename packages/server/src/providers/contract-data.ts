// The provider-specific data that the contract suite (contract.test.ts) needs. Each adapter's folder has a
// contract-data.ts with this data.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, with a function that signs callbacks for the account as the provider would. */
export type Signer = {
  credentials: Record<string, string>
  /** Signs the callback for the account. Returns the callback with the signature added to its headers or its body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** A provider's response to a status inquiry about a paid order. */
export type PaidAnswer = {
  name: string
  /** The JSON of the response. message-mutation.test.ts changes its fields one at a time. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /**
   * Returns the response body that the fake provider sends for `path`, with HTTP 200. `message` is the response's JSON
   * with one field changed.
   */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Returns a new merchant's credentials, as the Owner (the operator) would enter them. Credentials that the
   * provider issues, such as a callback token, are missing: the sandbox returns these credentials when the
   * merchant registers.
   */
  credentials(): Record<string, string>
  /**
   * Returns credential values that the provider does not know. Tests put these values into an account to
   * check how the adapter reports wrong credentials.
   */
  nobody(): Record<string, string>
  /** Returns another merchant's credential values. Callbacks signed with these values must be rejected. */
  stranger(): Record<string, string>
  /**
   * Present if the provider's callback signature does not cover the status. The adapter reports such a callback as
   * `unproven`, and a status inquiry determines the status.
   */
  callbacksAreHints?: true
  /**
   * Returns how many minutes a payment of this channel stays payable, if the provider sets this time and ignores the
   * charge's expiry.
   */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * The names of the fields that decide what a message reports: reference, status, amount, currency and provider id. An
   * error in any other field must not make the message unreadable (lenient-fields.ts).
   */
  deciding: readonly string[]
  /**
   * Returns a new signer. `genuine` is the body of a callback that the provider published. The signer can take the
   * merchant id from this body.
   */
  signer(genuine: string): Signer
  /**
   * The folders of adapters of other providers that use the same message format. This adapter must also parse the sample
   * messages that those providers publish.
   */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /**
   * Converts a payment reference to the format that the provider receives. Absent if the provider receives the
   * reference unchanged.
   */
  sentReference?(reference: string): string
  /**
   * Returns the parts of a callback that the signature covers, and the signature itself: byte ranges of the body, and
   * header names.
   */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
