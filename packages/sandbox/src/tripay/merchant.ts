import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'

/**
 * Finds the merchant by its API key. Only registered merchants are accepted, because a signature cannot be verified
 * without the merchant's private key.
 */
export function merchantOf(sandbox: Sandbox, authorization: string | undefined): Merchant | undefined {
  const apiKey = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return apiKey === undefined ? undefined : sandbox.merchants.find('tripay', apiKey)
}
