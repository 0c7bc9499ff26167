// Issues the token that DOKU requests from us before a SNAP notification. The token contains its expiry and a
// MAC with the account's secret, so any process can verify it and nothing is stored.

import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'
import type { ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'

type Account = Pick<ProviderAccount<Credentials>, 'id' | 'credentials'>

/** The lifetime of a token that this service issues. It equals the lifetime of DOKU's own tokens. */
export const TOKEN_LIFE_S = 900

/**
 * Returns the MAC of a token. Its prefix separates this MAC from everything else that is signed with the same secret.
 */
const macOf = ({ id, credentials }: Account, endS: string): string =>
  createHmac('sha256', credentials.secret_key)
    .update(`token issued to DOKU|${id}|${endS}`)
    .digest('base64url')

export function issueToken(account: Account, at: Date): string {
  const endS = String(Math.floor(at.getTime() / 1000) + TOKEN_LIFE_S)
  return `${endS}.${macOf(account, endS)}`
}

/** Whether this account issued the token and the token was valid at that time. */
export function isIssued(account: Account, token: string, at: Date): boolean {
  const [, endS, mac] = /^(\d{1,12})\.([\w-]+)$/.exec(token) ?? []
  if (endS === undefined || mac === undefined || at.getTime() >= Number(endS) * 1000) return false
  return isEqualSecret(mac, macOf(account, endS))
}
