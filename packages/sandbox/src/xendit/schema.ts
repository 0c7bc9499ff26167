import { z } from 'zod'
import type { Channel } from './channels.ts'
import { type Answer, type Issue, refusal, validationRefusal } from './errors.ts'

// Schemas shared by the create requests of several Xendit products.

export const reference = z.string().min(1).max(255)
// Xendit accepts only whole rupiah. Amounts have at most twelve digits, so that a JavaScript number can
// represent the cents exactly.
export const rupiah = z.int().min(0).max(999_999_999_999)
export const idr = z.literal('IDR')
export const webAddress = z.url({ protocol: /^https?$/ })
// For an invalid phone number, Xendit's recorded error is "JSON string doesn't match the regular expression".
export const mobileNumber = z.string().regex(/^\+?[1-9]\d{1,14}$/)

// The documented metadata limits: up to 50 keys, each with a name of up to 40 characters and a value of up to 500
// characters (docs.xendit.co create-payment-request).
export const metadata = z
  .record(z.string().max(40), z.union([z.string().max(500), z.number(), z.boolean()]))
  .refine(values => Object.keys(values).length <= 50, 'must not have more than 50 keys')
  .nullish()

export const future = z.iso
  .datetime({ offset: true })
  .transform(text => Date.parse(text))
  .refine(at => at > Date.now(), 'must be in the future')

export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.map(({ path, message, code }) => ({ path: path.map(String), message, type: code }))
}

/**
 * Returns the parsed body. If the body is invalid, returns a validation error instead. The parameter `shape`
 * is the error format of the Xendit product.
 */
export function read<T>(
  schema: z.ZodType<T>,
  body: unknown,
  shape: 'joi' | 'path',
): { value: T } | { refused: Answer } {
  const parsed = schema.safeParse(body)
  return parsed.success
    ? { value: parsed.data }
    : { refused: validationRefusal(shape, issuesOf(parsed.error)) }
}

export function invalid(path: string[], message: string): { refused: Answer } {
  return { refused: validationRefusal('path', [{ path, message }]) }
}

/**
 * Returns an error if the amount is outside the channel's limits. Xendit documents this error as "Values … not within
 * expected range or expected configurations" (docs.xendit.co create-payment-request).
 */
export function outOfRange({ code, minRupiah, maxRupiah }: Channel, amount: number): Answer | undefined {
  if (amount >= minRupiah && amount <= maxRupiah) return undefined
  return refusal('INVALID_VALUE_ERROR', `The amount for ${code} must be within [${minRupiah}, ${maxRupiah}]`)
}

/**
 * Returns the failure selected by the amount of an OVO payment in test mode. These amounts were recorded for
 * `/ewallets/charges`. The sandbox also applies them to payment requests, although Xendit does not document this.
 */
export function testAmountRefusal(channel: Channel, amount: number): Answer | undefined {
  if (channel.code !== 'OVO') return undefined
  if (amount === 10_100) return refusal('CHANNEL_NOT_ACTIVATED')
  if (amount === 10_101) return refusal('CHANNEL_UNAVAILABLE')
  return amount === 10_102 ? refusal('SERVER_ERROR') : undefined
}

/** Returns the text at the given path in a request body that is not validated yet. */
export function textAt(body: unknown, ...path: string[]): string | undefined {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return typeof value === 'string' ? value : undefined
}
