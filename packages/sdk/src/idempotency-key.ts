/**
 * Returns the key if it is valid. fetch would trim the header and send null as the text "null", so two requests
 * could share a key without this check.
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
