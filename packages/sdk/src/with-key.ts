// The idempotency keys of the calls that create payments and refunds.

import type { ApiPromise, WithResponse } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import { GapuraError } from './errors.ts'
import { checkedKey, newKey } from './idempotency-key.ts'

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
  // An idempotency key in the wrong place, such as the body, would be ignored. Each call would then have a generated
  // key, so a repeated call could charge the payer twice. Other fields are checked for a misplaced key only if the
  // option `idempotencyKey` is not set.
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
