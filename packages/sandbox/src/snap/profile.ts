import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from '../merchants.ts'
import type { Rule } from '../rules.ts'

/** The parts of SNAP that differ between providers. */
export type SnapProfile = {
  provider: string
  // Return the credential that a call sends as X-PARTNER-ID, and the credential that is the key of its signature.
  partnerId: (credentials: Record<string, string>) => string | undefined
  secret: (credentials: Record<string, string>) => string | undefined
  // The rules for the headers of a token request, and those for the headers of all other requests.
  tokenRules: readonly Rule[]
  headerRules: readonly Rule[]
}

export type SnapRequest = {
  method: string
  // The path with its query as the caller signs it: as the provider's own host would receive it, without the sandbox's
  // path prefix.
  path: string
  headers: IncomingHttpHeaders
  text: string
}

export type SnapCall = {
  merchant: Merchant
  externalId: string
  path: string
  headers: IncomingHttpHeaders
  // The parsed body; undefined if the body is not valid JSON.
  body: unknown
}
