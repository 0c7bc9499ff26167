import { parseJson } from '../body.ts'
import type { Sandbox } from '../provider.ts'
import type { Rule } from '../rules.ts'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import type { SnapCall, SnapProfile, SnapRequest } from './profile.ts'
import { headerRefusal, ruleRefusal } from './ruled.ts'
import { isSame, transactionSignature } from './signature.ts'
import { readIso } from './time.ts'
import { clientOfToken } from './token.ts'

/** Returns the authenticated call, or an error if its token or signature is invalid. */
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

/** Authenticates a SNAP call and then checks its body against the given rules. */
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
