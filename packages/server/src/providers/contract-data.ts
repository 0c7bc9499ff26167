// What the contract suite (contract.test.ts) has to be told of a provider to hold its adapter to the port.
// Each adapter's folder has it in a contract-data.ts, where the suite finds it.

import type { MethodType } from '../payments/method.ts'
import type { CallbackRequest } from './provider.ts'

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
  /** How long a payment of this channel lives where the provider decides it and not the charge. */
  ownLifeMinutes?(channel: string, type: MethodType): number | undefined
  /** Our reference as the provider gets it, where that is another form. */
  sentReference?(reference: string): string
  /** Which bytes of a callback its signature covers, itself included; headers by name. */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
