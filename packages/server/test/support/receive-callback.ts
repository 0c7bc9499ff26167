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

/** Reads a callback. Returns whether its signature is valid and, if it is, the callback's contents. */
export function receive(
  provider: AnyProvider,
  account: ProviderAccount<unknown>,
  request: CallbackRequest,
): Received {
  const verification = provider.verifyCallback(account, request)
  if (!verification.verified || 'reply' in verification) return verification
  return { verified: true, ...provider.readCallback(account, request) }
}

/** Returns the payment updates reported by a callback with a valid signature. */
export function updatesIn(reading: Received): CallbackUpdate[] {
  if (!('updates' in reading))
    throw new Error(
      `expected a callback with payment updates, but the adapter returned ${JSON.stringify(reading)}`,
    )
  return reading.updates
}
