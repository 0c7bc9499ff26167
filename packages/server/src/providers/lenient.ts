// Reading providers' JSON. Only deciding fields (reference, status, amount, currency, time, provider id) may make a
// message unreadable. Every other field may be absent, null or of another type, and then counts as left out. Numbers
// and padded text are read where their meaning is certain. docs/provider-messages.md has the whole rule.

import { type ZodType, z } from 'zod'
import { ProviderError, quoted } from './provider.ts'

/**
 * A deciding field (reference, status, amount, currency, time, provider id) that cannot be understood. Thrown out of
 * an inquiry it counts as an unknown outcome, so the inquiry is repeated.
 */
export class UnreadableError extends ProviderError {
  /** reason: names the field and what is wrong with it. */
  constructor(reason: string) {
    super('unknown', quoted(reason))
  }
}

/**
 * Text without the blanks around it, also where it was sent as a number; undefined for everything else, and for empty
 * text. A number beyond 2^53 has lost digits, one with a fraction has several spellings, so neither is text.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
}

/** A field that decides nothing. */
export const text = z.unknown().optional().transform(textOf)

/** Throws UnreadableError that names the first field that cannot be read. */
export function readMessage<T>(schema: ZodType<T>, json: unknown): T {
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.')
  throw new UnreadableError(`${field || 'the message'} cannot be read: ${issue?.message}`)
}
