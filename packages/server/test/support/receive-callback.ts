import type {
  AnyProvider,
  CallbackReading,
  CallbackRequest,
  CallbackUpdate,
  ProviderAccount,
  Verification,
} from '../../src/providers/provider.ts'

type Unread = Exclude<Verification, { verified: true; reply?: never }>
export type Received = Unread | ({ verified: true } & CallbackReading)

/** Returns the result of reading a callback: the verification and, if the callback is verified, its contents. */
export function receive(
  provider: AnyProvider,
  account: ProviderAccount<unknown>,
  request: CallbackRequest,
): Received {
  const verification = provider.verifyCallback(account, request)
  if (!verification.verified || 'reply' in verification) return verification
  return { verified: true, ...provider.readCallback(account, request) }
}

/** Returns the payments that a verified callback reports. */
export function updatesIn(reading: Received): CallbackUpdate[] {
  if (!('updates' in reading)) throw new Error(`the callback contains no updates: ${JSON.stringify(reading)}`)
  return reading.updates
}
