import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from '../merchants.ts'
import type { Sandbox } from '../provider.ts'
import { isSame } from '../snap/signature.ts'
import { type DokuAnswer, refusal } from './errors.ts'
import { headerSignature } from './signature.ts'

export type DirectRequest = {
  method: string
  // The path the caller signs. It excludes the sandbox's prefix `/doku`, because DOKU's own paths have no prefix.
  path: string
  headers: IncomingHttpHeaders
  text: string
}

export type DirectCall = { merchant: Merchant; requestId: string }

const REQUEST_ID_MAX_CHARS = 128
const utcForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/**
 * Returns the merchant and request ID of a correctly signed call, or an error if the signature or another
 * header is invalid.
 */
export function authenticated(
  sandbox: Sandbox,
  request: DirectRequest,
): DirectCall | { refused: DokuAnswer } {
  const header = (name: string) => String(request.headers[name] ?? '')
  const clientId = header('client-id')
  const merchant = sandbox.merchants.find('doku', clientId)
  const secretKey = merchant?.credentials.secret_key
  if (!merchant || !secretKey) return { refused: refusal('invalid_client_id', 'Invalid Client-Id') }
  const [requestId, timestamp] = [header('request-id'), header('request-timestamp')]
  if (requestId === '' || requestId.length > REQUEST_ID_MAX_CHARS) {
    return { refused: refusal('invalid_parameter', 'Request-Id is mandatory, at most 128 characters') }
  }
  if (!utcForm.test(timestamp) || Number.isNaN(Date.parse(timestamp))) {
    return {
      refused: refusal('invalid_parameter', 'Request-Timestamp must be UTC, such as 2020-08-11T08:45:42Z'),
    }
  }
  const expected = headerSignature(secretKey, {
    clientId,
    requestId,
    timestamp,
    target: request.path,
    // A GET request has no body, so the signed text of a GET request contains no digest of the body.
    ...(request.method !== 'GET' && { body: request.text }),
  })
  if (!isSame(expected, header('signature'))) {
    return { refused: refusal('invalid_signature', 'Invalid Header Signature') }
  }
  return { merchant, requestId }
}
