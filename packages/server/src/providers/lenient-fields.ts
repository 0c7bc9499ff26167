// Zod types for reading providers' JSON leniently. Only a deciding field (reference, status, amount, currency, time or
// provider id) can make a message unreadable. A field that is not a deciding field may be absent, null or of another
// type, and is then treated as absent. Numbers and padded text are accepted if their meaning is certain. The full rules
// are in docs/provider-messages.md.

import { type ZodType, z } from 'zod'
import { type Cents, centsOf } from '../values/money.ts'
import { ProviderError, toSafeText } from './provider.ts'

/**
 * Thrown if a deciding field cannot be parsed. If the response to an inquiry has such a field, the outcome counts as
 * unknown and the inquiry is repeated.
 */
export class UnreadableError extends ProviderError {
  /** `reason` names the field and describes the error. */
  constructor(reason: string) {
    super('unknown', toSafeText(reason))
  }
}

/**
 * Reads text: it is trimmed, and a whole number is converted to text. Returns undefined for any other value, for empty
 * text and for text that PostgreSQL cannot store. A number above 2^53 has lost digits, and a fraction has several
 * spellings, so neither is converted.
 */
export function parseText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return undefined
  return value.trim() || undefined
}

/** Whether a value counts as absent. Null and blank text do. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const any = z.unknown().optional()

/** The characters and length of an id. Visible ASCII is safe to store and to return. */
const idPattern = /^[\x21-\x7e]{1,128}$/
/**
 * The characters and length of a reference. Spaces are allowed, because another system that shares the account may use
 * them in its references.
 */
const referencePattern = /^[\x20-\x7e]{1,255}$/

const deciding = <T>(read: (value: unknown) => T | undefined) =>
  any.transform((value, context) => {
    const found = read(value)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: `it is ${describeValue(value)}` })
    return z.NEVER
  })

/** Returns the text if the pattern matches all of it. */
const matching = (pattern: RegExp) => (value: unknown) => parseText(value)?.match(pattern)?.[0]

/** A text field that is not a deciding field. */
export const optionalText = any.transform(parseText)

/**
 * A field with text for people, which may have any content. The text must pass through toSafeText() before it is
 * stored.
 */
export const freeText = z.string().optional().catch(undefined)

/** A field with an id that is not a deciding field. */
export const optionalId = any.transform(matching(idPattern))

/** A field with the provider's id. It is a deciding field. */
export const requiredId = deciding(matching(idPattern))

/** A deciding field with the provider's id of something that may not exist. It is null if the id is absent. */
export const nullableId = deciding(value => (isAbsent(value) ? null : matching(idPattern)(value)))

/** A field with our reference. It is a deciding field. */
export const requiredReference = deciding(matching(referencePattern))

/** A deciding field with our reference, for a message that may have none. It is null if the reference is absent. */
export const nullableReference = deciding(value =>
  isAbsent(value) ? null : matching(referencePattern)(value),
)

/** A field with a status. It is a deciding field. */
export const requiredWord = deciding(parseText)

/** A text field that is a deciding field only if it is present. It is null if it is absent. */
export const nullableWord = deciding(value => (isAbsent(value) ? null : parseText(value)))

/** A deciding field with a currency, which must be text and not a number. It is null if the currency is absent. */
export const nullableCurrency = deciding(value =>
  isAbsent(value) ? null : typeof value === 'string' ? parseText(value) : undefined,
)

/** A field with an amount of money. It is not parsed here, but by parseAmount or parsePaidAmount. */
export const anyAmount = any

/** A value of any type. The function that parses it decides whether it is a deciding field. */
export const raw = any

/**
 * Reads a status from an object that the schema may drop. Returns null if the status is absent. Throws UnreadableError
 * if it is not text.
 */
export function parseWord(field: string, value: unknown): string | null {
  if (isAbsent(value)) return null
  const found = parseText(value)
  if (found === undefined) throw new UnreadableError(`${field} cannot be read: it is ${describeValue(value)}`)
  return found
}

/** A field with an object. None of the object's own fields affects the payment. */
export const optionalObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).optional().catch(undefined)

/** A field with a list. No field of its entries affects the payment. Entries that are not objects are dropped. */
export function objectList<Shape extends z.ZodRawShape>(shape: Shape) {
  const entry = z.looseObject(shape)
  const entriesIn = (value: unknown): z.output<typeof entry>[] => {
    const { data } = entry.safeParse(value)
    return data ? [data] : []
  }
  return any.transform(value => (Array.isArray(value) ? value.flatMap(entriesIn) : []))
}

/** Parses an amount. Returns undefined if the amount is ambiguous, such as `10,000` or a number with one decimal. */
export const parseAmount = (value: unknown): Cents | undefined =>
  centsOf(typeof value === 'string' ? value.trim() : value)

/**
 * Parses the amount paid, which is a deciding field. If it cannot be parsed, throws UnreadableError with the field's
 * name.
 */
export function parsePaidAmount(field: string, value: unknown): Cents {
  const cents = parseAmount(value)
  if (cents === undefined) throw new UnreadableError(`${field} cannot be read: it is ${describeValue(value)}`)
  return cents
}

/** Parses a message. Throws UnreadableError with the name of the first deciding field that cannot be parsed. */
export function readMessage<T>(schema: ZodType<T>, json: unknown): T {
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.')
  throw new UnreadableError(`${field || 'the message'} cannot be read: ${issue?.message}`)
}

export function unknownWord(field: string, value: string): UnreadableError {
  return new UnreadableError(`${field} is an unknown word: ${value}`)
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}
