import { z } from 'zod'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import type { SnapCall } from './profile.ts'
import { readIso } from './time.ts'

// Fields that every SNAP service knows. The standard's amounts have 16 digits before the point; of thirteen, the cents
// stay exact numbers.
export const amount = z.object({
  value: z.string().regex(/^\d{1,13}\.\d{2}$/),
  currency: z.literal('IDR'),
})

export const isoTime = z
  .string()
  .refine(text => readIso(text) !== undefined)
  .transform(text => readIso(text) as number)

/** Documented for partnerReferenceNo at Midtrans: dash, underscore, tilde and dot beside letters and digits. */
export const reference = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^[A-Za-z0-9\-_~.]+$/)

const serviceIdForm = /^ {0,7}\d{1,8}$/
export const partnerServiceId = z.string().length(8).regex(serviceIdForm)

export const customerNo = z.string().regex(/^\d{1,20}$/)

export const oneOf = (...words: [string, ...string[]]) => z.string().toLowerCase().pipe(z.enum(words))

/**
 * docs.midtrans.com virtual-account-api-bank-transfer and mpm-api-qris: X-EXTERNAL-ID "should also be the same as" the
 * merchant's reference. Wallets have no such rule.
 */
export function externalIdMismatch(
  service: Service,
  { externalId }: Pick<SnapCall, 'externalId'>,
  asReference: string,
): { refused: SnapAnswer } | undefined {
  return externalId === asReference
    ? undefined
    : { refused: refusal(service, 'fieldFormat', 'X-EXTERNAL-ID') }
}

/** The amount in cents; undefined when it is none that anybody could be asked for: zero, or part of a rupiah. */
export function centsAsked({ value }: z.infer<typeof amount>): number | undefined {
  const cents = Number(value.replace('.', ''))
  return cents > 0 && cents % 100 === 0 ? cents : undefined
}

/** The request as the schema reads it, or the standard's answer to its first fault. */
export function readFields<T extends z.ZodType>(
  service: Service,
  schema: T,
  body: unknown,
): { fields: z.output<T> } | { refused: SnapAnswer } {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    return { refused: refusal(service, 'badRequest') }
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return { fields: parsed.data }
  const path = parsed.error.issues[0]?.path ?? []
  const reason = isAbsent(body, path) ? 'mandatoryField' : 'fieldFormat'
  return { refused: refusal(service, reason, `{${path.join('.')}}`) }
}

function isAbsent(body: unknown, path: PropertyKey[]): boolean {
  let value = body
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value === undefined || value === null || value === ''
}
