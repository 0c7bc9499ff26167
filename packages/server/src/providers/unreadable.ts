// How an adapter reports a verified message that it cannot understand. Such a message is never acknowledged: the
// provider sends it again, and the service inquires about everything in it that may identify a payment.

import { withDashes } from '../payments/payment-code.ts'
import { textOf, UnreadableError } from './lenient.ts'
import { type CallbackReading, jsonOf, type Unreadable } from './provider.ts'

export type Refusal = Unreadable['refusal']

/**
 * The reading, or `unreadable` where it throws UnreadableError. idFields: the names that the provider's messages have
 * for our reference and for its own ids.
 */
export function readOrRefuse(
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

/** Each candidate costs an inquiry. */
const MAX_CANDIDATES = 20

/** Our references in either form (payment-code.ts), with the number of the try behind them. */
const references = /(?<![\w-])GP\d{6}-?[0-9A-HJKMNP-TV-Z]{10}(?:[-T]\d{1,4})?(?![\w-])/g

/** Visible ASCII is storable, and every id of a provider known so far consists of it. */
const isId = (text: string | undefined): text is string =>
  text !== undefined && /^[\x21-\x7e]{1,128}$/.test(text)

/** Everything in the body that may be a reference or a provider id of ours; our references come first. */
export function candidatesOf(body: Buffer, idFields: readonly string[]): string[] {
  const [ours, ids]: [string[], string[]] = [[], []]
  // A list that grows instead of recursion: a body may be nested deeper than calls can be.
  const values: unknown[] = [jsonOf(body) ?? new TextDecoder().decode(body)]
  for (const value of values) {
    if (typeof value === 'string') ours.push(...(value.match(references) ?? []).map(withDashes))
    if (typeof value !== 'object' || value === null) continue
    for (const [name, below] of Object.entries(value)) {
      values.push(below)
      const id = idFields.includes(name) ? textOf(below) : undefined
      if (isId(id)) ids.push(id)
    }
  }
  return [...new Set([...ours, ...ids])].slice(0, MAX_CANDIDATES)
}
