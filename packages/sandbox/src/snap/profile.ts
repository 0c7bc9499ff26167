import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from '../merchants.ts'
import type { Rule } from '../rules.ts'

/** How a provider fills in what the standard leaves open. */
export type SnapProfile = {
  provider: string
  // Which credential a call names itself by (X-PARTNER-ID), and which one keys its signature.
  partnerId: (credentials: Record<string, string>) => string | undefined
  secret: (credentials: Record<string, string>) => string | undefined
  // The headers of a call for a token, and of every other, which the providers do not form alike.
  tokenRules: readonly Rule[]
  headerRules: readonly Rule[]
}

export type SnapRequest = {
  method: string
  // Below the sandbox's mount, with its query: what the provider's own host would see and the caller signs.
  path: string
  headers: IncomingHttpHeaders
  text: string
}

export type SnapCall = {
  merchant: Merchant
  externalId: string
  path: string
  headers: IncomingHttpHeaders
  // Undefined when it is no JSON.
  body: unknown
}
