import { z } from 'zod'
import { beyondLimit } from './limits.ts'
import type { MidtransDetail, PaymentType } from './order.ts'

// Validates a charge. The response lists all errors in `validation_messages`.

const digits = z.string().regex(/^\d+$/, 'must be digits only')
const text = (maxChars: number) => z.string().max(maxChars, `is too long, at most ${maxChars} characters`)
const webOrAppAddress = z.string().max(2000, 'is too long').nullish()

// The maximum amount in rupiah for channels without a documented maximum. Up to this amount, a JavaScript number
// can represent the cents exactly.
const GROSS_AMOUNT_LIMIT = 1_000_000_000_000

const common = z.object({
  payment_type: z.string().min(1, 'is required'),
  transaction_details: z.object({
    order_id: z
      .string()
      .min(1, 'is required')
      .max(50, 'is too long, at most 50 characters')
      .regex(/^[A-Za-z0-9\-_~.]+$/, 'contains characters that are not allowed'),
    gross_amount: z
      .int('must be a number without decimals')
      .positive('must be greater than 0')
      .max(GROSS_AMOUNT_LIMIT, 'is too large'),
  }),
  item_details: z
    .array(
      z.object({
        id: text(50).nullish(),
        name: z.string().min(1, 'is required').max(50, 'is too long, at most 50 characters'),
        // The price can be negative, because a discount is an item with a negative price.
        price: z.int('must be a number without decimals'),
        quantity: z.int('must be a number without decimals').positive('must be greater than 0'),
      }),
    )
    .nullish(),
  customer_details: z
    .object({
      first_name: text(255).nullish(),
      last_name: text(255).nullish(),
      email: text(255).nullish(),
      phone: text(255).nullish(),
    })
    .nullish(),
  custom_expiry: z
    .object({
      order_time: z.string().nullish(),
      expiry_duration: z.int('must be a number without decimals').positive('must be greater than 0'),
      unit: z.enum(['second', 'minute', 'hour', 'day'], 'must be second, minute, hour or day').nullish(),
    })
    .nullish(),
  custom_field1: text(255).nullish(),
  custom_field2: text(255).nullish(),
  custom_field3: text(255).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

const banks = z.enum(['bca', 'bni', 'bri', 'cimb', 'permata'], 'is not supported')

type MethodDetail = Omit<MidtransDetail, 'echoed'> & { customNumber?: string | undefined }

// Midtrans documents two payment types for Permata, but the response always contains the type bank_transfer.
const methods = {
  bank_transfer: z
    .object({ bank_transfer: z.object({ bank: banks, va_number: digits.nullish() }) })
    .transform(({ bank_transfer: { bank, va_number } }): MethodDetail => {
      return { paymentType: 'bank_transfer', bank, customNumber: va_number ?? undefined }
    }),
  permata: z
    .object({ bank_transfer: z.object({ va_number: digits.nullish() }).nullish() })
    .transform(({ bank_transfer }): MethodDetail => {
      return {
        paymentType: 'bank_transfer',
        bank: 'permata',
        customNumber: bank_transfer?.va_number ?? undefined,
      }
    }),
  echannel: z
    .object({
      echannel: z.object({
        bill_info1: z.string().min(1, 'is required').max(10, 'is too long, at most 10 characters'),
        bill_info2: z.string().min(1, 'is required').max(30, 'is too long, at most 30 characters'),
      }),
    })
    .transform((): MethodDetail => ({ paymentType: 'echannel', bank: 'mandiri' })),
  qris: z
    .object({
      qris: z
        .object({ acquirer: z.enum(['gopay', 'airpay shopee'], 'is not supported').nullish() })
        .nullish(),
    })
    .transform(({ qris }): MethodDetail => ({ paymentType: 'qris', acquirer: qris?.acquirer ?? 'gopay' })),
  gopay: z
    .object({
      gopay: z.object({ enable_callback: z.boolean().nullish(), callback_url: webOrAppAddress }).nullish(),
    })
    .transform(({ gopay }): MethodDetail => {
      return { paymentType: 'gopay', ...returning(gopay?.enable_callback ? gopay.callback_url : null) }
    }),
  shopeepay: z
    .object({ shopeepay: z.object({ callback_url: webOrAppAddress }).nullish() })
    .transform(({ shopeepay }): MethodDetail => {
      return { paymentType: 'shopeepay', ...returning(shopeepay?.callback_url) }
    }),
  ovo: z
    .object({
      ovo: z.object({
        payer_phone_number: z.string().regex(/^(\+?62|0)8\d{7,11}$/, 'must be a valid phone number'),
      }),
    })
    .transform(({ ovo }): MethodDetail => ({ paymentType: 'ovo', payerPhone: ovo.payer_phone_number })),
  cstore: z
    .object({
      cstore: z.object({
        store: z.enum(['alfamart', 'indomaret'], 'is not supported'),
        message: text(20).nullish(),
        alfamart_free_text_1: text(40).nullish(),
        alfamart_free_text_2: text(40).nullish(),
        alfamart_free_text_3: text(40).nullish(),
      }),
    })
    .transform(({ cstore }): MethodDetail => ({ paymentType: 'cstore', store: cstore.store })),
  akulaku: z.object({}).transform((): MethodDetail => ({ paymentType: 'akulaku' })),
  kredivo: z
    .object({ item_details: z.array(z.unknown()).min(1, 'is required'), customer_details: z.object({}) })
    .transform((): MethodDetail => ({ paymentType: 'kredivo' })),
  credit_card: z
    .object({ credit_card: z.object({ token_id: z.string().min(1, 'is required') }) })
    .transform(({ credit_card: { token_id } }): MethodDetail => {
      return { paymentType: 'credit_card', bank: 'bni', maskedCard: maskedCardOf(token_id) }
    }),
} satisfies Record<PaymentType | 'permata', z.ZodType<MethodDetail>>

export type ChargeRequest = z.infer<typeof common> & { method: MethodDetail }

/**
 * The maximum size of a charge request, according to Midtrans: 16,000 bytes (Midtrans/mt-alt-doc
 * advanced-features).
 */
const MAX_REQUEST_BYTES = 16_000

export function readChargeRequest(body: unknown): ChargeRequest | { messages: string[] } {
  if (Buffer.byteLength(JSON.stringify(body) ?? '') > MAX_REQUEST_BYTES)
    return { messages: [`request body is too large, at most ${MAX_REQUEST_BYTES} bytes`] }
  const shared = common.safeParse(body)
  const messages = shared.success ? [] : messagesOf(shared.error, body)
  const type = (body as { payment_type?: unknown } | null)?.payment_type
  if (typeof type === 'string' && type !== '' && !Object.hasOwn(methods, type)) {
    messages.push('payment_type is not supported')
  }
  const method =
    typeof type === 'string' && Object.hasOwn(methods, type)
      ? methods[type as keyof typeof methods].safeParse(body)
      : undefined
  if (method && !method.success) messages.push(...messagesOf(method.error, body))
  if (!shared.success || !method?.success || messages.length > 0) return { messages: [...new Set(messages)] }

  const { item_details: items, transaction_details: details } = shared.data
  if (items && items.reduce((sum, item) => sum + item.price * item.quantity, 0) !== details.gross_amount) {
    return { messages: ['transaction_details.gross_amount is not equal to the sum of item_details'] }
  }
  const invalid = channelMessages(method.data, shared.data)
  if (invalid.length > 0) return { messages: invalid }
  const beyond = beyondLimit(method.data, details.gross_amount)
  if (beyond) return { messages: [`transaction_details.gross_amount ${beyond}`] }
  return { ...shared.data, method: method.data }
}

/**
 * Returns an error for each value that only some banks and stores reject. The banks' rules apply only to virtual
 * accounts: in a card payment, `bank` is the bank that processes the card. Sources: docs.midtrans.com
 * customer-details-object, item-details-object and, for BNI's phone numbers, virtual-account-api-bank-transfer.
 */
function channelMessages(
  { paymentType, bank, store }: MethodDetail,
  { customer_details: customer, item_details: items }: z.infer<typeof common>,
): string[] {
  const isInvalid = (field: 'first_name' | 'last_name' | 'phone', pattern: RegExp) =>
    customer?.[field] && !pattern.test(customer[field]) ? [`customer_details.${field} is invalid`] : []
  const virtualAccountBank = paymentType === 'bank_transfer' ? bank : undefined
  if (virtualAccountBank === 'bca')
    return [...isInvalid('first_name', /^.{0,30}$/su), ...isInvalid('last_name', /^.{0,30}$/su)]
  if (virtualAccountBank === 'bni') return isInvalid('phone', /^(?=.{1,30}$)(\+62|0)\d+$/)
  if (store !== 'alfamart') return []
  return (items ?? []).flatMap(({ id, name }, index) =>
    `${id}${name}`.includes('|') ? [`item_details.${index} contains characters that are not allowed`] : [],
  )
}

function messagesOf(error: z.ZodError, body: unknown): string[] {
  return error.issues.map(issue => {
    const path = issue.path.join('.')
    return `${path || 'request body'} ${isAbsent(body, issue.path) ? 'is required' : wording(issue)}`
  })
}

function wording(issue: z.core.$ZodIssue): string {
  const ours = /^(is|must|contains) /.test(issue.message)
  return ours ? issue.message : 'is invalid'
}

function isAbsent(body: unknown, path: PropertyKey[]): boolean {
  let value = body
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value === undefined || value === null
}

function returning(callbackUrl: string | null | undefined): { callbackUrl?: string } {
  return callbackUrl ? { callbackUrl } : {}
}

/**
 * Reads the masked card number from a card token, which starts with the card's first six and last four digits:
 * `481111-1114-…`.
 */
function maskedCardOf(token: string): string {
  const match = /^(\d{6})-?(\d{4})\b/.exec(token)
  return match ? `${match[1]}11-${match[2]}` : '48111111-1114'
}
