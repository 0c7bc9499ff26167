import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from '../merchants.ts'
import type { Rule } from '../rules.ts'

/** The parts of SNAP (the Indonesian standard for payment APIs) that differ between providers. */
export type SnapProfile = {
  provider: string
  // Both functions read the merchant's credentials. `partnerId` returns the value of the header X-PARTNER-ID,
  // and `secret` returns the secret that signs calls.
  partnerId: (credentials: Record<string, string>) => string | undefined
  secret: (credentials: Record<string, string>) => string | undefined
  // `tokenRules` apply to the headers of token requests, and `headerRules` to the headers of all other requests.
  tokenRules: readonly Rule[]
  headerRules: readonly Rule[]
}

export type SnapRequest = {
  method: string
  // The path and query that the caller signs. They do not include the sandbox's own prefix, because the
  // provider's paths do not have it.
  path: string
  headers: IncomingHttpHeaders
  text: string
}

export type SnapCall = {
  merchant: Merchant
  externalId: string
  path: string
  headers: IncomingHttpHeaders
  // The parsed body, or undefined if the body is not valid JSON.
  body: unknown
}
