// The data about a provider that the contract suite (contract.test.ts) needs. The suite loads this data from
// contract-data.ts in each adapter's folder.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, and a function that signs a callback for that account as the provider does. */
export type Signer = {
  credentials: Record<string, string>
  /** Signs the callback for the account and returns it with its signature, which is in a header or in the body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** A provider's response to an inquiry that proves that the order was paid. */
export type PaidAnswer = {
  name: string
  /** The JSON of the response, in which message-mutation.test.ts changes fields. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /**
   * Returns the provider's response body for a path; it is sent with HTTP 200. `message` is the answer's JSON with one
   * field changed.
   */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Returns the credentials of a new merchant on each call, as the Owner enters them. They exclude credentials that the
   * provider issues (a callback token, its public key), which the sandbox returns when the merchant is registered.
   */
  credentials(): Record<string, string>
  /** Returns the changes that make the credentials invalid at the provider. */
  nobody(): Record<string, string>
  /**
   * Returns the changes that turn the credentials into those of another merchant. That merchant's callbacks must not be
   * accepted for this one.
   */
  stranger(): Record<string, string>
  /**
   * Present if a callback's signature does not cover its content. Each report of such a callback is `unproven`, and a
   * status inquiry decides.
   */
  callbacksAreHints?: true
  /** Returns for how long a payment of this channel stays payable, if the provider and not the charge decides that. */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * The names of the deciding fields: reference, status, amount, currency and provider id. Only these fields may make a
   * message unreadable (lenient-fields.ts).
   */
  deciding: readonly string[]
  /**
   * Returns a new signer. `genuine` is the body of a callback that the provider published; it may contain the id of the
   * merchant that received it.
   */
  signer(genuine: string): Signer
  /** The folders of other protocols whose published messages the adapter must also be able to read. */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /** Converts our reference to the format in which the provider receives it. Absent if both formats are the same. */
  sentReference?(reference: string): string
  /**
   * Returns the parts of a callback that its signature covers, including the signature itself: ranges of bytes of the
   * body, and names of headers.
   */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
