// The idempotency keys of the calls that create payments and refunds.

import type { ApiPromise, WithResponse } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import { GapuraError } from './errors.ts'

type KeyOptions = CallOptions & { idempotencyKey?: string | undefined }
type KeyHeader = { 'X-Idempotency-Key': string }

/**
 * Makes a call with the caller's idempotency key, or with a generated key if the caller passed none. If the call fails,
 * the error contains the key.
 */
export async function withKey<Data>(
  body: object,
  given: KeyOptions = {},
  call: (headers: KeyHeader, options: CallOptions) => ApiPromise<Data>,
): Promise<WithResponse<Data>> {
  const { idempotencyKey: key = newKey(), ...options } = given
  // A key in the wrong place, such as the body, would be ignored, and each call would have a generated key. Repeating
  // the call could then charge the payer twice. If the option is set, other fields can have any name.
  const fields: Record<string, unknown> = { ...body, ...options.headers, ...options }
  const misplaced =
    typeof given !== 'object'
      ? given
      : given.idempotencyKey === undefined
        ? Object.keys(fields).find(name => fields[name] !== undefined && /idempot|^key$/i.test(name))
        : undefined
  if (misplaced !== undefined)
    throw new TypeError(
      `options: pass the idempotency key as { idempotencyKey } in the last parameter (got ${JSON.stringify(misplaced)})`,
    )
  const idempotencyKey = checkedKey(key)
  try {
    return await call({ 'X-Idempotency-Key': idempotencyKey }, options).withResponse()
  } catch (error) {
    if (error instanceof GapuraError) error.idempotencyKey = idempotencyKey
    throw error
  }
}

/**
 * Returns the key if it is valid. Without this check, two requests could be sent with the same key by mistake,
 * because fetch trims headers and sends null as the text "null".
 */
export function checkedKey(key: string | undefined): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new TypeError(
      'idempotencyKey: must be 1 to 255 visible ASCII characters; required if crypto.randomUUID is missing',
    )
  return key
}

/** Returns a random key, or undefined on platforms without `crypto.randomUUID`. */
export const newKey = (): string | undefined => globalThis.crypto?.randomUUID?.()
