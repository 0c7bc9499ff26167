import { createPrivateKey, createPublicKey, createVerify, sign as signWith } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox } from '../provider.ts'
import { refusal, type SnapAnswer, services, success } from './answer.ts'
import type { SnapProfile } from './profile.ts'
import { headerRefusal } from './ruled.ts'
import { isTokenSignature } from './signature.ts'
import { readIso } from './time.ts'

// An access token is valid for 15 minutes, both at Midtrans and at DOKU.
const TOKEN_LIFE_S = 900

type Claims = { clientId: string; exp: number }

/** Handles an access token request, which is signed with the merchant's private key. */
export function answerTokenCall(
  sandbox: Sandbox,
  { provider, tokenRules }: SnapProfile,
  headers: IncomingHttpHeaders,
  body: unknown,
): SnapAnswer {
  const { token: service } = services
  const refused = headerRefusal(tokenRules, service, headers)
  if (refused) return refused
  const [clientId, timestamp, signature] = ['x-client-key', 'x-timestamp', 'x-signature'].map(name =>
    String(headers[name] ?? ''),
  )
  if (!clientId) return refusal(service, 'mandatoryField', 'X-CLIENT-KEY')
  if (!timestamp) return refusal(service, 'mandatoryField', 'X-TIMESTAMP')
  if (readIso(timestamp) === undefined) return refusal(service, 'fieldFormat', 'X-TIMESTAMP')
  const publicKey = sandbox.merchants.find(provider, clientId)?.credentials.public_key
  if (!publicKey || !signature || !isTokenSignature(publicKey, clientId, timestamp, signature)) {
    return refusal(service, 'unauthorized', 'Signature')
  }
  if (grantOf(body) === undefined) return refusal(service, 'mandatoryField', 'grantType')
  if (grantOf(body) !== 'client_credentials') return refusal(service, 'fieldFormat', 'grantType')
  return success(service, {
    accessToken: issuedToken(sandbox, provider, clientId),
    tokenType: 'Bearer',
    // Midtrans returns the token's lifetime as a string, but in DOKU's samples it is a number.
    expiresIn: provider === 'doku' ? TOKEN_LIFE_S : String(TOKEN_LIFE_S),
  })
}

/**
 * Reads the grant type. Accepts the documented name grantType, and the name grant_type sent by Midtrans' client
 * 1.4.3.
 */
function grantOf(body: unknown): unknown {
  const fields = body as { grantType?: unknown; grant_type?: unknown } | null | undefined
  return fields?.grantType ?? fields?.grant_type
}

/**
 * Issues a signed token. Tokens are signed instead of stored, so they stay valid after a restart of the
 * sandbox.
 */
function issuedToken(sandbox: Sandbox, provider: string, clientId: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { clientId, iat: now, nbf: now, exp: now + TOKEN_LIFE_S }
  const signed = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`
  const key = createPrivateKey(sandbox.keyPairOf(provider).privateKey)
  return `${signed}.${signWith('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** Returns the token's client ID, or undefined if the token is invalid or has expired. */
export function clientOfToken(sandbox: Sandbox, provider: string, token: string): string | undefined {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const key = createPublicKey(sandbox.keyPairOf(provider).publicKey)
  if (!createVerify('sha256').update(`${header}.${payload}`).verify(key, signature, 'base64url')) {
    return undefined
  }
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
  return claims.exp * 1000 > Date.now() ? claims.clientId : undefined
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
