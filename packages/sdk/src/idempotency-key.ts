// Validates and generates idempotency keys.

/**
 * Returns the idempotency key if the key is valid, and otherwise throws a TypeError. Without this check, two requests
 * could have the same key by mistake, because fetch trims headers and sends null as the text "null".
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
