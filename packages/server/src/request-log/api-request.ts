// A request with an API key, as the tenant finds it in its request log. It has no body, no query and no header except
// those named here, because those contain the payers' data (docs/decisions/0048-request-log.md).

import { isId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'

export type ApiRequest = {
  id: string
  tenantId: string
  mode: Mode
  apiKeyId: string
  requestId: string
  method: string
  /** The path with the names of its parameters, such as `/v1/payments/{payment_id}`. */
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

/** What the HTTP server knows about a request. Clients choose most of these texts, so none of them is trusted. */
export type SeenRequest = Omit<ApiRequest, 'id' | 'path'> & { params: Record<string, string> }

/** Removes everything that the log must not store. */
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

/** Paths of fields in request bodies, such as `items.0.price`. */
const FIELD = /^[\w.-]{1,100}$/

/** The path with its ids. A value that is no id could be anything, so the name of its parameter is stored instead. */
const pathOf = (route: string, params: Record<string, string>): string =>
  route.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? ''
    return isId(value) ? value : placeholder
  })

const REDACTED = '[redacted]'

/**
 * API keys, webhook secrets, JSON Web Tokens, credentials with their scheme, signatures and email addresses. None of
 * them belongs in the stored texts, but a client may send them there by mistake.
 */
const SECRETS =
  /gp_(live|test)_\S*|whsec_\S*|\beyJ[\w-]+\.[\w-]*\.?[\w-]*|\b(bearer|apikey|basic)\s+\S+|\bsha256=\S+|\b(token|password|secret|signature|key)=\S+|[^\s<>(),;]+@[^\s<>(),;]+\.[^\s<>(),;]+/gi

/** Replaces secrets, removes control characters, which PostgreSQL or a terminal could not take, and cuts the text. */
const redacted = (text: string, maxLength: number): string =>
  // Cut after the redaction, because a secret that is cut off no longer looks like one.
  text.replace(CONTROL, '').replace(SECRETS, REDACTED).slice(0, maxLength).toWellFormed()

const CONTROL = /\p{Cc}/gu
