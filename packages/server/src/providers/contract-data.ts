// The provider-specific data for the contract tests (contract.test.ts). The folder of each adapter has a
// contract-data.ts with this data.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, and a function that signs callbacks as the provider would for this account. */
export type Signer = {
  credentials: Record<string, string>
  /** Signs the callback for the account. Returns the callback with the signature added to its headers or its body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** A provider's response to a status inquiry about a paid order. */
export type PaidAnswer = {
  name: string
  /** The response as JSON. message-mutation.test.ts changes its fields one at a time. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /**
   * Returns the body that the fake provider sends with HTTP 200 in response to a request for `path`.
   * `message` is the original response with one field changed.
   */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Returns a new merchant's credentials as the operator would enter them. Credentials that the provider
   * issues, such as a callback token, are missing. The sandbox returns those when the merchant registers.
   */
  credentials(): Record<string, string>
  /**
   * Returns credentials that the provider does not know. Tests use them to check how the adapter reports
   * wrong credentials.
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
   * Returns the lifetime of this channel's orders in minutes, if the provider sets it. Such a provider
   * ignores the requested expiry.
   */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * The names of the fields that decide what a message reports: reference, status, amount, currency and
   * provider id. Any other invalid field must not make the message unreadable (lenient-fields.ts).
   */
  deciding: readonly string[]
  /**
   * Returns a new signer. `genuine` is the body of a callback that the provider published, from which the
   * signer can take the merchant id.
   */
  signer(genuine: string): Signer
  /**
   * The folders of adapters for other providers with the same message format. This adapter must also parse
   * the sample messages of these providers.
   */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /**
   * Converts a payment reference to the form in which the provider receives it. Omitted if the provider
   * receives it unchanged.
   */
  sentReference?(reference: string): string
  /**
   * Returns which bytes of the body and which headers a callback's signature covers, and where the signature
   * itself is.
   */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
