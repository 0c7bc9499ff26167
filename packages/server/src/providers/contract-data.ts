// What the contract suite (contract.test.ts) has to be told of a provider to hold its adapter to the port.
// Each adapter's folder has it in a contract-data.ts, where the suite finds it.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest, Inquiry, ProviderAccount } from './provider.ts'

/** An account's credentials, and how the provider signs a callback towards it. */
export type Signer = {
  credentials: Record<string, string>
  /** The callback with the signature of its body, or in its body. */
  sign(callback: CallbackRequest, account: Pick<ProviderAccount<unknown>, 'id'>): CallbackRequest
}

/** An answer to an inquiry that proves payment. */
export type PaidAnswer = {
  name: string
  /** The JSON whose fields message-mutation.test.ts changes. */
  message: unknown
  inquiry: Pick<Inquiry, 'reference' | 'amount'> & Partial<Inquiry>
  /** What the provider answers at a path, with HTTP 200; message: with one field changed. */
  answer(path: string, message: unknown): unknown
}

export type ContractData = {
  /**
   * Credentials of a new merchant, each call of another one, as the Owner enters them; without what the provider
   * issues (a callback token, its public key), which the sandbox answers when the merchant is registered with it.
   */
  credentials(): Record<string, string>
  /** What to change in them so that they are nobody's, and the provider refuses them. */
  nobody(): Record<string, string>
  /** What to change in them so that they are another merchant's, whose callbacks prove nothing to this one. */
  stranger(): Record<string, string>
  /**
   * A callback's signature does not cover what it reports: each of its reports reads as `unproven`, and the inquiry
   * that follows decides.
   */
  callbacksAreHints?: true
  /** How long a payment of this channel lives where the provider decides it and not the charge. */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /**
   * Names of the deciding fields: reference, status, amount, currency and provider id. Only these may make a message
   * unreadable (lenient.ts).
   */
  deciding: readonly string[]
  /** genuine: the body of a published message, which may name the merchant that it was sent to. */
  signer(genuine: string): Signer
  /** Folders of protocols whose published messages it has to read, too. */
  protocols?: readonly string[]
  paidAnswers: readonly PaidAnswer[]
  /** Our reference as the provider gets it, where that is another form. */
  sentReference?(reference: string): string
  /** Which bytes of a callback its signature covers, itself included; headers by name. */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
