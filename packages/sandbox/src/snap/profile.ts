import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from '../merchants.ts'
import type { Rule } from '../rules.ts'

/** The parts of SNAP (the Indonesian standard for payment APIs) that differ between providers. */
export type SnapProfile = {
  provider: string
  // `partnerId` returns the credential that a call sends as X-PARTNER-ID. `secret` returns the credential with which
  // the signature of a call is computed.
  partnerId: (credentials: Record<string, string>) => string | undefined
  secret: (credentials: Record<string, string>) => string | undefined
  // The first list contains the rules for the headers of a token request. The second list contains the rules for the
  // headers of all other requests.
  tokenRules: readonly Rule[]
  headerRules: readonly Rule[]
}

export type SnapRequest = {
  method: string
  // The path and query that the caller signs. They do not contain the sandbox's path prefix, because the provider's
  // host has no prefix.
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
