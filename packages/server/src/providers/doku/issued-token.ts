// Issues the access token that DOKU requests before it sends a SNAP notification. The token contains its expiry
// and a MAC computed with the account's secret, so any process can verify the token without having stored it.

import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'
import type { ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'

type Account = Pick<ProviderAccount<Credentials>, 'id' | 'credentials'>

/** A token's lifetime in seconds, the same as for DOKU's tokens. */
export const TOKEN_LIFE_S = 900

/**
 * How much longer than its lifetime a token is accepted, in seconds. DOKU may count the lifetime from when it receives
 * the token. Without this extra time, a notification sent at the end of the lifetime would be rejected, and DOKU would
 * retry only after 30 minutes.
 */
const GRACE_S = 60

/**
 * Returns a token's MAC. The prefix prevents a MAC created with the same secret for another purpose from being
 * accepted.
 */
const macOf = ({ id, credentials }: Account, endS: string): string =>
  createHmac('sha256', credentials.secret_key)
    .update(`token issued to DOKU|${id}|${endS}`)
    .digest('base64url')

export function issueToken(account: Account, at: Date): string {
  const endS = String(Math.floor(at.getTime() / 1000) + TOKEN_LIFE_S)
  return `${endS}.${macOf(account, endS)}`
}

/** Returns true if this service issued the token for this account and still accepted it at the time `at`. */
export function isIssued(account: Account, token: string, at: Date): boolean {
  const [, endS, mac] = /^(\d{1,12})\.([\w-]+)$/.exec(token) ?? []
  if (endS === undefined || mac === undefined || at.getTime() >= (Number(endS) + GRACE_S) * 1000) return false
  return isEqualSecret(mac, macOf(account, endS))
}
