// An entry in a tenant's request log: one request with an API key. The body, query and most headers are left out,
// because they can contain payers' data (docs/decisions/0048-request-log.md).

import { isId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'

export type ApiRequest = {
  id: string
  tenantId: string
  mode: Mode
  apiKeyId: string
  requestId: string
  method: string
  /** The path with parameter names, such as `/v1/payments/{payment_id}`. */
  route: string
  path: string
  status: number
  errorCode: string | null
  errorField: string | null
  idempotencyKey: string | null
  durationMs: number
  clientAddress: string | null
  userAgent: string | null
  paymentId: string | null
  paymentCode: string | null
}

/**
 * A request's data as received by the HTTP server. Each text is checked or redacted before it is stored, because
 * clients choose most of the texts.
 */
export type SeenRequest = Omit<ApiRequest, 'id' | 'path'> & { params: Record<string, string> }

/** Converts a request to a log entry, without the data the log must not store. */
export function withoutSecrets({ params, ...seen }: SeenRequest, id: string): ApiRequest {
  return {
    ...seen,
    id,
    path: pathOf(seen.route, params),
    requestId: redacted(seen.requestId, 128),
    errorField: seen.errorField !== null && FIELD.test(seen.errorField) ? seen.errorField : null,
    idempotencyKey: seen.idempotencyKey && redacted(seen.idempotencyKey, 255),
    clientAddress: seen.clientAddress && redacted(seen.clientAddress, 45),
    userAgent: seen.userAgent && redacted(seen.userAgent, 256),
  }
}

/** Matches the path of a request body field, such as `items.0.price`. */
const FIELD = /^[\w.-]{1,100}$/

/**
 * Returns a request's path, including ids. The value of any other path parameter could contain arbitrary text, so it is
 * replaced by the parameter's name.
 */
const pathOf = (route: string, params: Record<string, string>): string =>
  route.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? ''
    return isId(value) ? value : placeholder
  })

const REDACTED = '[redacted]'

/**
 * Matches API keys, webhook secrets, JSON Web Tokens, credentials with their scheme, signatures and email
 * addresses. If a client sends such data in the wrong place, it must not be stored.
 *
 * The pattern's time must grow only linearly with the text. The part of an email address before the @ is therefore
 * limited to 64 characters, the maximum in RFC 5321.
 */
const SECRETS =
  /gp_(live|test)_\S*|whsec_\S*|\beyJ[\w.-]+|\b(bearer|apikey|basic)\s+\S+|\bsha256=\S+|\b(token|password|secret|signature|key)=\S+|[^\s<>(),;@]{1,64}@[^\s<>(),;]+/gi

/** How many characters of a text are searched for secrets. A client can send 15,000 characters in a header. */
const SEARCHED = 512
/** The longest beginning of an email address that SECRETS does not match if the address is cut off before its @. */
const CUT_OFF = 64

/**
 * Replaces secrets, removes control characters that PostgreSQL or a terminal cannot handle, and truncates the text.
 */
function redacted(text: string, maxLength: number): string {
  // Secrets are replaced before the text is truncated, because the pattern for secrets would not match a truncated
  // secret.
  const searched = text.replace(CONTROL, '').slice(0, SEARCHED)
  const clean = searched.replace(SECRETS, REDACTED)
  const isCutOff = searched.length === SEARCHED && !clean.endsWith(REDACTED)
  return (isCutOff ? clean.slice(0, -CUT_OFF) : clean).slice(0, maxLength).toWellFormed()
}

const CONTROL = /\p{Cc}/gu
