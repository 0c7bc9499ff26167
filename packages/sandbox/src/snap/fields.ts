import { z } from 'zod'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import type { SnapCall } from './profile.ts'
import { readIso } from './time.ts'

// Fields that all SNAP services have. An amount can have 13 digits before the decimal point, the most for
// which a JavaScript number can represent the cents exactly. The SNAP standard allows 16.
export const amount = z.object({
  value: z.string().regex(/^\d{1,13}\.\d{2}$/),
  currency: z.literal('IDR'),
})

export const isoTime = z
  .string()
  .refine(text => readIso(text) !== undefined)
  .transform(text => readIso(text) as number)

/** Midtrans' documented format of partnerReferenceNo: letters, digits, dash, underscore, tilde and dot. */
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
 * Returns an error if the X-EXTERNAL-ID differs from the merchant's reference. Midtrans requires this for virtual
 * accounts and QR codes (virtual-account-api-bank-transfer and mpm-api-qris), but not for wallets.
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

/** Returns the amount in cents, or undefined if the amount is zero or contains a fraction of a rupiah. */
export function centsAsked({ value }: z.infer<typeof amount>): number | undefined {
  const cents = Number(value.replace('.', ''))
  return cents > 0 && cents % 100 === 0 ? cents : undefined
}

/** Returns the parsed fields, or the SNAP standard's error for the first invalid field. */
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
