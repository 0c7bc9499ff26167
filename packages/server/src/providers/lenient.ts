// Reading providers' JSON. Only deciding fields (reference, status, amount, currency, time, provider id) may make a
// message unreadable. Every other field may be absent, null or of another type, and then counts as left out. Numbers
// and padded text are read where their meaning is certain. docs/provider-messages.md has the whole rule.

import { type ZodType, z } from 'zod'
import { type Cents, centsOf } from '../money.ts'
import { ProviderError, quoted } from './provider.ts'

/**
 * A deciding field that cannot be understood. Thrown out of an inquiry it counts as an unknown outcome, so the inquiry
 * is repeated.
 */
export class UnreadableError extends ProviderError {
  /** reason: names the field and what is wrong with it. */
  constructor(reason: string) {
    super('unknown', quoted(reason))
  }
}

/**
 * Text without the blanks around it, also where it was sent as a number; undefined for everything else, for empty text
 * and for text that the database cannot hold. A number beyond 2^53 has lost digits and one with a fraction has several
 * spellings, so neither is text.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return undefined
  return value.trim() || undefined
}

/** Null and blank text say as little as a field that is not there. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const any = z.unknown().optional()

/** Visible ASCII, which can be stored and passed on. */
const idPattern = /^[\x21-\x7e]{1,128}$/
/** Another system with the same account may have references with blanks. */
const referencePattern = /^[\x20-\x7e]{1,255}$/

const deciding = <T>(read: (value: unknown) => T | undefined) =>
  any.transform((value, context) => {
    const found = read(value)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: `it is ${named(value)}` })
    return z.NEVER
  })

/** pattern: of the whole text. */
const matching = (pattern: RegExp) => (value: unknown) => textOf(value)?.match(pattern)?.[0]

/** Text that decides nothing. */
export const text = any.transform(textOf)

/** Words for a person, which may hold anything: only quoted() makes them fit to be stored. */
export const words = z.string().optional().catch(undefined)

/** An id that decides nothing. */
export const idIfAny = any.transform(matching(idPattern))

/** The provider's id. */
export const id = deciding(matching(idPattern))

/** The provider's id of something that there may not be; null where it is absent. */
export const idOrNull = deciding(value => (isAbsent(value) ? null : matching(idPattern)(value)))

/** Our reference. */
export const reference = deciding(matching(referencePattern))

/** Our reference in a message that may have none; null where it is absent. */
export const referenceOrNull = deciding(value => (isAbsent(value) ? null : matching(referencePattern)(value)))

/** A status. */
export const word = deciding(textOf)

/** Text that decides only where it is present, such as a currency; null where it is absent. */
export const wordOrNull = deciding(value => (isAbsent(value) ? null : textOf(value)))

/** A currency: text, never a number. Null where it is absent. */
export const currency = deciding(value =>
  isAbsent(value) ? null : typeof value === 'string' ? textOf(value) : undefined,
)

/** A sum of money; sumOf and paidSumOf read it. */
export const amount = any

/** Of any shape: a function that knows whether it decides reads it. */
export const raw = any

/** A status in a place that a schema may drop: null where it is absent. Throws UnreadableError. */
export function wordIn(field: string, value: unknown): string | null {
  if (isAbsent(value)) return null
  const found = textOf(value)
  if (found === undefined) throw new UnreadableError(`${field} cannot be read: it is ${named(value)}`)
  return found
}

/** An object whose fields decide nothing. */
export const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape).optional().catch(undefined)

/** A list whose entries decide nothing; entries that are no objects are left out. */
export function list<Shape extends z.ZodRawShape>(shape: Shape) {
  const entry = z.looseObject(shape)
  const entriesIn = (value: unknown): z.output<typeof entry>[] => {
    const { data } = entry.safeParse(value)
    return data ? [data] : []
  }
  return any.transform(value => (Array.isArray(value) ? value.flatMap(entriesIn) : []))
}

/** Undefined for a sum that is not certain, such as `10,000` or a number with one decimal. */
export const sumOf = (value: unknown): Cents | undefined =>
  centsOf(typeof value === 'string' ? value.trim() : value)

/** The same of the amount that was paid, which decides: throws UnreadableError. field: its name, for the reason. */
export function paidSumOf(field: string, value: unknown): Cents {
  const cents = sumOf(value)
  if (cents === undefined) throw new UnreadableError(`${field} cannot be read: it is ${named(value)}`)
  return cents
}

/** Throws UnreadableError, which names the first deciding field that cannot be read. */
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

function named(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}
