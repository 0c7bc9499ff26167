import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackRequest, Verification } from '../providers/provider.ts'

/**
 * The result of a successful verification. `replacedAt` is the time at which the credentials that match the callback
 * were replaced, or null if they are the current credentials.
 */
type Verified = Extract<Verification, { verified: true }> & { replacedAt: Date | null }

/**
 * Verifies a callback with the current credentials. If that fails, tries replaced credentials that are still valid,
 * because the provider may still use them. If no credentials match, the rejection contains the reason why the current
 * credentials did not match.
 */
export function verifyWithValidCredentials(
  { provider, account, callbackRules }: LoadedAccount,
  request: CallbackRequest,
): Verified | Extract<Verification, { verified: false }> {
  const valid = [
    { credentials: account.credentials, replacedAt: null },
    ...callbackRules.previousCredentials.filter(({ validUntil }) => validUntil > request.receivedAt),
  ]
  let refused: Extract<Verification, { verified: false }> | undefined
  for (const { credentials, replacedAt } of valid) {
    const otherCredentials = valid.map(each => each.credentials).filter(each => each !== credentials)
    const verification = provider.verifyCallback({ ...account, credentials, otherCredentials }, request)
    if (verification.verified) return { ...verification, replacedAt }
    refused ??= verification
  }
  if (!refused) throw new Error('the account has no valid credentials')
  return refused
}
