import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'

/** Who registered with this key. Its private key signs requests, so a stranger's could not be checked. */
export function merchantOf(sandbox: Sandbox, authorization: string | undefined): Merchant | undefined {
  const apiKey = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return apiKey === undefined ? undefined : sandbox.merchants.find('tripay', apiKey)
}
