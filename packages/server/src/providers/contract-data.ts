// What the contract suite (contract.test.ts) has to be told of a provider to hold its adapter to the port.
// Each adapter's folder has it in a contract-data.ts, where the suite finds it.

import type { CallbackRequest } from './provider.ts'

export type SentRequest = { path: string; headers: Record<string, string>; body: string }

export type ContractData = {
  credentials: Record<string, string>
  /** Of another account, whose callbacks prove nothing about this one. */
  otherCredentials: Record<string, string>
  /** The provider's answer to a charge that it took. */
  accept(charge: SentRequest): string
  /** Its callback once that charge was paid in full. */
  paid(charge: SentRequest, credentials: Record<string, string>): CallbackRequest
  /** Which bytes of such a callback its signature covers, itself included; headers by name. */
  signed(callback: CallbackRequest): { body: { start: number; end: number }[]; headers: string[] }
}
