// Handles a verified message that the adapter cannot parse. The message is not acknowledged, so that the provider
// sends it again. In addition, the service sends a status inquiry for every value in the message that may identify a
// payment.

import { withDashes } from '../payments/payment-code.ts'
import { parseText, UnreadableError } from './lenient-fields.ts'
import { type CallbackReading, parseProviderJson, type Unreadable } from './provider.ts'

export type Refusal = Unreadable['refusal']

/**
 * Returns the result of the function `read`. If `read` throws UnreadableError, returns an `unreadable` result
 * instead. The parameter `idFields` names the message fields that may contain our reference or the provider's
 * IDs.
 */
export function readOrUnreadable(
  read: () => CallbackReading,
  { body, idFields, refusal }: { body: Buffer; idFields: readonly string[]; refusal: Refusal },
): CallbackReading {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return { unreadable: { reason: error.message, candidates: candidatesOf(body, idFields), refusal } }
  }
}

/**
 * At most this many values in one message are tried as a payment's reference or ID, because each value costs
 * one status inquiry.
 */
const MAX_CANDIDATES = 20

/** Matches our payment references with and without dashes (payment-code.ts), and with an optional attempt number. */
const references = /(?<![\w-])GP\d{6}-?[0-9A-HJKMNP-TV-Z]{10}(?:[-T]\d{1,4})?(?![\w-])/g

/**
 * Returns whether a text can be a provider's ID. At every known provider, IDs consist of visible ASCII
 * characters.
 */
const isId = (text: string | undefined): text is string =>
  text !== undefined && /^[\x21-\x7e]{1,128}$/.test(text)

/**
 * Returns the values in the message body that may identify a payment: first the values that look like our
 * references, then the IDs in the fields `idFields`.
 */
export function candidatesOf(body: Buffer, idFields: readonly string[]): string[] {
  const [ours, ids]: [string[], string[]] = [[], []]
  // A loop over a list is used instead of recursion, because a deeply nested body could overflow the call
  // stack.
  const values: unknown[] = [parseProviderJson(body) ?? new TextDecoder().decode(body)]
  for (const value of values) {
    if (typeof value === 'string') ours.push(...(value.match(references) ?? []).map(withDashes))
    if (typeof value !== 'object' || value === null) continue
    for (const [name, below] of Object.entries(value)) {
      values.push(below)
      const id = idFields.includes(name) ? parseText(below) : undefined
      if (isId(id)) ids.push(id)
    }
  }
  return [...new Set([...ours, ...ids])].slice(0, MAX_CANDIDATES)
}
