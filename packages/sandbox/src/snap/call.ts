import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '../body.ts'
import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import { headerRefusal, ruleRefusal } from './ruled.ts'
import { isSame, transactionSignature } from './signature.ts'
import { readIso } from './time.ts'
import { clientOfToken } from './token.ts'

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

/** Who is calling, or the answer to somebody whose token or signature does not hold. */
export function authenticated(
  sandbox: Sandbox,
  profile: SnapProfile,
  service: Service,
  request: SnapRequest,
): SnapCall | { refused: SnapAnswer } {
  const header = (name: string) => String(request.headers[name] ?? '')
  const token = /^Bearer +(\S+)$/i.exec(header('authorization'))?.[1]
  if (!token) return { refused: refusal(service, 'unauthorized', 'Auth token required') }
  const clientId = clientOfToken(sandbox, profile.provider, token)
  const merchant = clientId && sandbox.merchants.find(profile.provider, clientId)
  if (!merchant) return { refused: refusal(service, 'invalidToken') }
  const timestamp = header('x-timestamp')
  if (!timestamp) return { refused: refusal(service, 'mandatoryField', 'X-TIMESTAMP') }
  if (readIso(timestamp) === undefined) return { refused: refusal(service, 'fieldFormat', 'X-TIMESTAMP') }
  const secret = profile.secret(merchant.credentials)
  const { method, path, text } = request
  const expected = secret && transactionSignature(secret, token, { method, path, body: text, timestamp })
  if (!expected || !isSame(expected, header('x-signature'))) {
    return { refused: refusal(service, 'unauthorized', 'Signature') }
  }
  if (header('x-partner-id') !== profile.partnerId(merchant.credentials)) {
    return { refused: refusal(service, 'unauthorized', 'Unknown partner') }
  }
  const externalId = header('x-external-id')
  if (!externalId) return { refused: refusal(service, 'mandatoryField', 'X-EXTERNAL-ID') }
  const refused = headerRefusal(profile.headerRules, service, request.headers)
  if (refused) return { refused }
  return { merchant, externalId, path, headers: request.headers, body: parseJson(text) }
}

/** The same of a call whose body is held to the rules at once. */
export function ruledCall(
  sandbox: Sandbox,
  profile: SnapProfile,
  service: Service,
  rules: readonly Rule[],
  request: SnapRequest,
): SnapCall | { refused: SnapAnswer } {
  const call = authenticated(sandbox, profile, service, request)
  if ('refused' in call) return call
  const refused = ruleRefusal(rules, service, call)
  return refused ? { refused } : call
}
