import { type FaultId, type FaultParams, faults } from './catalogue.ts'
import { type ErrorCode, GatewayError, kindOf } from './errors.ts'

type Options = {
  /** The path of the input field that causes the fault, such as `items.0.price`. */
  field?: string | undefined
  /** Fields that the response contains in addition to the error's usual fields. */
  shown?: Record<string, unknown>
  retryAfterSeconds?: number
  cause?: unknown
}
type Given<Id extends FaultId> =
  Record<never, never> extends FaultParams<Id>
    ? [params?: FaultParams<Id>, options?: Options]
    : [params: FaultParams<Id>, options?: Options]

/**
 * Returns the error object for the fault with the given ID. A fault is a kind of error, which is defined in
 * catalogue.ts.
 */
export const fault = <Id extends FaultId>(id: Id, ...given: Given<Id>): GatewayError =>
  new GatewayError(detailsOf(id, ...given))

/** Returns the details of a fault, which a subclass of GatewayError passes to `super`. */
export function detailsOf<Id extends FaultId>(id: Id, ...[params, options]: Given<Id>) {
  const { code, text } = faults[id] as { code: ErrorCode; text: (params: unknown) => string }
  const { field, ...others } = options ?? {}
  const known = (params ?? {}) as Record<string, unknown>
  const what = text(known)
  const detail = field === undefined ? what : `${field}: ${what}`
  return {
    ...others,
    code,
    detail,
    message: messageOf(id, code, detail, known),
    fault: id,
    params: known,
    field,
  }
}

function messageOf(
  id: FaultId,
  code: ErrorCode,
  detail: string,
  { provider }: Record<string, unknown>,
): string {
  // The API specification prescribes this exact message, without a prefix, for every invalid Bearer access token.
  if (id === 'access_token_invalid') return detail
  if (code === 'PROVIDER_ERROR') return `${kindOf(code)} [${provider}]: ${detail}`
  return `${kindOf(code)}: ${detail}`
}
