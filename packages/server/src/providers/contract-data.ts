// What the contract suite (contract.test.ts) needs to know about a provider. The suite loads it from
// contract-data.ts in each adapter's folder.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, and how the provider signs a callback for that account. */
export type Signer = {
  credentials: Record<string, string>
  /** Returns the callback with a valid signature, in a header or in the body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** A response to an inquiry that proves payment. */
export type PaidAnswer = {
  name: string
  /** The JSON in which message-mutation.test.ts changes fields. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /** The provider's response body for a path, sent with HTTP 200. message: the JSON with one field changed. */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Credentials of a new merchant on each call, as the Owner enters them. They exclude what the provider issues
   * (a callback token, its public key), which the sandbox returns when the merchant is registered.
   */
  credentials(): Record<string, string>
  /** The changes that make the credentials invalid at the provider. */
  nobody(): Record<string, string>
  /**
   * The changes that turn the credentials into another merchant's, whose callbacks must not be accepted for this one.
   */
  stranger(): Record<string, string>
  /**
   * Present if a callback's signature does not cover its content. Each of its reports is then `unproven`, and a
   * status inquiry decides.
   */
  callbacksAreHints?: true
  /** How long a payment of this channel stays payable, if the provider decides it instead of the charge. */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * Names of the deciding fields: reference, status, amount, currency and provider id. Only these may make a
   * message unreadable (lenient.ts).
   */
  deciding: readonly string[]
  /** genuine: the body of a published message, which may contain the id of the merchant that received it. */
  signer(genuine: string): Signer
  /** Folders of other protocols whose published messages the adapter must also read. */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /** The format in which the provider receives our reference, if it differs from ours. */
  sentReference?(reference: string): string
  /** The bytes of a callback that its signature covers, including the signature itself. Headers are given by name. */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
