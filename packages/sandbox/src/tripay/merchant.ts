import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'

/**
 * Finds a registered merchant by its API key. Merchants that are not registered are rejected, because the sandbox needs
 * the merchant's private key to verify signatures.
 */
export function merchantOf(sandbox: Sandbox, authorization: string | undefined): Merchant | undefined {
  const apiKey = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return apiKey === undefined ? undefined : sandbox.merchants.find('tripay', apiKey)
}
