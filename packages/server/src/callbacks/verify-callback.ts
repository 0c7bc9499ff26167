import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { CallbackRequest, Verification } from '../providers/provider.ts'

/** replacedAt: when the credentials that verified it were replaced; null: they are the present ones. */
type Verified = Extract<Verification, { verified: true }> & { replacedAt: Date | null }

/**
 * Verifies with the present credentials, then with the previous ones that are still valid, newest first: a provider
 * goes on signing with the old ones until it learns of the change. A request that none verifies is refused with the
 * reason of the present ones.
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
  if (!refused) throw new Error('an account has no credentials')
  return refused
}
