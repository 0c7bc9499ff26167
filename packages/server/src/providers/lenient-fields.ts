// Zod types that read providers' JSON leniently, so that no payment is lost if a provider changes its format. A message
// is unreadable only if its reference, status, amount, currency, time or provider id is invalid. Any other field counts
// as absent if it is null or has an unexpected type. docs/provider-messages.md has the full rules.

import { type ZodType, z } from 'zod'
import { type Cents, centsOf } from '../values/money.ts'
import { ProviderError, toSafeText } from './provider.ts'

/**
 * Thrown if a message's required field cannot be parsed. If the message is an inquiry response, the outcome is
 * unknown and the inquiry is retried.
 */
export class UnreadableError extends ProviderError {
  /** `reason` names the field and describes what is wrong with it. */
  constructor(reason: string) {
    super('unknown', toSafeText(reason))
  }
}

/**
 * Trims text, and converts whole numbers that are not negative to text. Returns undefined for other values, for empty
 * text, and for text that PostgreSQL cannot store. Numbers above 2^53 are rejected because they have lost digits, and
 * fractions because they can be written in several ways.
 */
export function parseText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return undefined
  return value.trim() || undefined
}

/** Returns whether a value in a provider's message counts as absent: undefined, null or blank text. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const any = z.unknown().optional()

/**
 * The characters and lengths allowed for an id. Visible ASCII characters are safe to store in the database and to
 * return in API responses.
 */
const idPattern = /^[\x21-\x7e]{1,128}$/
/**
 * The characters and length allowed for a reference. Spaces are allowed, because another system sharing the account
 * may use them.
 */
const referencePattern = /^[\x20-\x7e]{1,255}$/

const deciding = <T>(read: (value: unknown) => T | undefined) =>
  any.transform((value, context) => {
    const found = read(value)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: `it is ${describeValue(value)}` })
    return z.NEVER
  })

const matching = (pattern: RegExp) => (value: unknown) => parseText(value)?.match(pattern)?.[0]

/**
 * A text field in a provider's message. An invalid value is treated as absent, so the message can still be
 * read.
 */
export const optionalText = any.transform(parseText)

/**
 * A text field that is meant for people, such as an error description. The text must pass through
 * toSafeText() before it is stored.
 */
export const freeText = z.string().optional().catch(undefined)

/**
 * An ID field in a provider's message. An invalid value is treated as absent, so the message can still be
 * read.
 */
export const optionalId = any.transform(matching(idPattern))

/** The provider's id for an order. If this field is invalid or absent, the message is unreadable. */
export const requiredId = deciding(matching(idPattern))

/**
 * A provider's id that a message may omit. An absent id results in null; an invalid id makes the message
 * unreadable.
 */
export const nullableId = deciding(value => (isAbsent(value) ? null : matching(idPattern)(value)))

/** Our payment reference. If this field is invalid or absent, the message is unreadable. */
export const requiredReference = deciding(matching(referencePattern))

/**
 * Our payment reference in a message that may omit it. An absent reference results in null; an invalid one makes
 * the message unreadable.
 */
export const nullableReference = deciding(value =>
  isAbsent(value) ? null : matching(referencePattern)(value),
)

/** A status in a provider's message. If this field is invalid or absent, the message is unreadable. */
export const requiredWord = deciding(parseText)

/**
 * A text field that a message may omit. Absent text results in null; an invalid value makes the message unreadable.
 */
export const nullableWord = deciding(value => (isAbsent(value) ? null : parseText(value)))

/**
 * A currency, or null if the currency is absent. Any value that is not text, such as a number, makes the
 * message unreadable.
 */
export const nullableCurrency = deciding(value =>
  isAbsent(value) ? null : typeof value === 'string' ? parseText(value) : undefined,
)

/** An amount of money in the provider's format, parsed later by parseAmount or parsePaidAmount. */
export const anyAmount = any

/**
 * A value of any type. The function that parses it decides whether an invalid value makes the message
 * unreadable.
 */
export const raw = any

/** Parses a status. Returns null if the value is absent. Throws UnreadableError if the value is not text. */
export function parseWord(field: string, value: unknown): string | null {
  if (isAbsent(value)) return null
  const found = parseText(value)
  if (found === undefined) throw new UnreadableError(`${field} cannot be read: it is ${describeValue(value)}`)
  return found
}

/**
 * An object field that never makes a message unreadable. If its value is not a valid object, the field counts
 * as absent.
 */
export const optionalObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).optional().catch(undefined)

/**
 * A list of objects in a provider's message. Entries that are not objects are dropped, so the message can
 * still be read.
 */
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
 * Parses the amount paid. If it is ambiguous, throws UnreadableError with the field's name, so that no wrong amount
 * is credited.
 */
export function parsePaidAmount(field: string, value: unknown): Cents {
  const cents = parseAmount(value)
  if (cents === undefined) throw new UnreadableError(`${field} cannot be read: it is ${describeValue(value)}`)
  return cents
}

/** Parses a message. Throws UnreadableError with the name of the first field that makes the message unreadable. */
export function readMessage<T>(schema: ZodType<T>, json: unknown): T {
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.')
  throw new UnreadableError(`${field || 'the message'} cannot be read: ${issue?.message}`)
}

export function unknownWord(field: string, value: string): UnreadableError {
  return new UnreadableError(`${field} has the unknown value ${value}`)
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}
