// The provider-specific data for the contract tests (contract.test.ts). Each adapter's folder has a
// contract-data.ts with this data.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, and a function that signs callbacks for this account as the provider would. */
export type Signer = {
  credentials: Record<string, string>
  /** Signs the callback for the account. Returns the callback with the signature added to its headers or body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** A provider's response to a status inquiry about a paid order. */
export type PaidAnswer = {
  name: string
  /** The response as JSON. message-mutation.test.ts changes the response's fields one at a time. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /**
   * Returns the body the fake provider sends with HTTP 200 in response to a request for `path`. `message` is the
   * original response with one field changed.
   */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Returns a new merchant's credentials as the operator would enter them. They do not include credentials issued
   * by the provider, such as a callback token. The sandbox returns the issued credentials when the merchant
   * registers.
   */
  credentials(): Record<string, string>
  /**
   * Returns credentials unknown to the provider. Tests use them to check how the adapter reports wrong credentials.
   */
  unknownCredentials(): Record<string, string>
  /** Returns the credential values of another merchant. Callbacks signed with them must be rejected. */
  stranger(): Record<string, string>
  /**
   * True if the provider's callback signature does not cover the status. The adapter then reports every callback
   * as `unproven` (a status without proof), and a status inquiry determines the status.
   */
  callbacksAreHints?: true
  /**
   * Returns the lifetime, in minutes, of this channel's orders if the provider determines it. Such a provider
   * ignores the requested expiry.
   */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * The names of the fields that decide what a message reports: reference, status, amount, currency and provider
   * ID. If any other field of a message is invalid, the adapter must still be able to read the message
   * (lenient-fields.ts).
   */
  deciding: readonly string[]
  /**
   * Returns a signer for test callbacks. `genuine` is the body of a callback that the provider published,
   * from which the signer can take the merchant id.
   */
  signer(genuine: string): Signer
  /**
   * The adapter folders of other providers whose messages have the same format. The adapter of this provider
   * must also parse their sample messages.
   */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /**
   * Converts a payment reference to the form in which it is sent to the provider. This function is omitted if the
   * reference is sent unchanged.
   */
  sentReference?(reference: string): string
  /** Returns which body bytes and headers a callback's signature covers, and where the signature itself is. */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
