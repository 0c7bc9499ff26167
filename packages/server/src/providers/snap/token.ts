// Caches the accounts' access tokens. Concurrent calls share one token request. Inquiries have separate tokens, so that
// they never wait for a charge's token request.

import { createHash } from 'node:crypto'
import { type Purpose, requestProvider } from '../http-client.ts'
import { ProviderError } from '../provider.ts'
import { tokenAnswer } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import { tokenSignature } from './signature.ts'

/**
 * A token's lifetime if the token response does not contain one. Both acquirers (Midtrans and DOKU) issue
 * tokens that are valid for 900 s.
 */
const DEFAULT_LIFE_S = 900
/**
 * The margin subtracted from a token's lifetime, because a request takes time and the acquirer's clock may
 * differ from ours.
 */
const MARGIN_S = 60

/**
 * A cached token. It can be used until the time `goodUntil`. While the token is being fetched, `goodUntil` is
 * infinite, so that other calls wait for the same token.
 */
type Kept = { identity: string; goodUntil: number; token: Promise<string> }
const kept: Record<Purpose, Map<string, Kept>> = { charge: new Map(), inquiry: new Map() }

export const hostOf = ({ baseUrl, profile, mode }: SnapAccount): string => baseUrl ?? profile.hosts[mode]

/** Identifies the host and the credentials a cached token was issued for. */
const identityOf = (account: SnapAccount): string =>
  createHash('sha256')
    .update(JSON.stringify([hostOf(account), account.clientId, account.privateKey]))
    .digest('hex')

/**
 * Returns a cached token or fetches a new one. If the fetch fails, throws ProviderError `unavailable`, because the
 * provider cannot have created anything without a token.
 */
export function tokenFor(account: SnapAccount, purpose: Purpose): Promise<string> {
  const identity = identityOf(account)
  const present = kept[purpose].get(account.id)
  if (present?.identity === identity && present.goodUntil > Date.now()) return present.token
  const entry: Kept = {
    identity,
    goodUntil: Number.POSITIVE_INFINITY,
    token: issue(account, purpose).then(({ token, lifeS }) => {
      entry.goodUntil = Date.now() + Math.max(lifeS - MARGIN_S, lifeS / 2) * 1000
      return token
    }),
  }
  kept[purpose].set(account.id, entry)
  entry.token.catch(() => forget(account.id, purpose, entry))
  return entry.token
}

/**
 * Removes a token from the cache after the acquirer rejected it, unless another request has already replaced
 * the token.
 */
export async function dropToken(account: SnapAccount, purpose: Purpose, token: string): Promise<void> {
  const present = kept[purpose].get(account.id)
  if (present && present.goodUntil !== Number.POSITIVE_INFINITY && (await present.token) === token)
    forget(account.id, purpose, present)
}

function forget(accountId: string, purpose: Purpose, entry: Kept): void {
  if (kept[purpose].get(accountId) === entry) kept[purpose].delete(accountId)
}

async function issue(account: SnapAccount, purpose: Purpose): Promise<{ token: string; lifeS: number }> {
  const timestamp = account.profile.tokenTimestamp(new Date())
  const answer = await requestProvider(
    purpose,
    `${hostOf(account)}${account.profile.paths.token}`,
    {
      'x-timestamp': timestamp,
      'x-client-key': account.clientId,
      'x-signature': tokenSignature(account.privateKey, account.clientId, timestamp),
    },
    '{"grantType":"client_credentials"}',
  ).catch(error => {
    throw new ProviderError('unavailable', 'issued no token', { cause: error })
  })
  const read = tokenAnswer.safeParse(answer.json)
  if (answer.status !== 200 || !read.success)
    throw new ProviderError('unavailable', `issued no token, answered ${answer.status}`)
  return { token: read.data.accessToken, lifeS: read.data.expiresIn ?? DEFAULT_LIFE_S }
}
