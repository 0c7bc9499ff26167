// The fields in the request that creates a payment. Values are not converted: the string "10" is not a valid
// amount.

import { z } from 'zod'
import { rule } from '../../faults/rule.ts'
import { DEFAULT_EXPIRY_MINUTES } from '../../routing/channel-limits.ts'
import { idempotencyKeyPattern } from '../../values/idempotency-key.ts'
import { MAX_AMOUNT } from '../../values/money.ts'
import { optionalEmail, text } from '../../values/text.ts'
import {
  eWalletDetail,
  type MethodType,
  methodDetail,
  methodTypes,
  overTheCounterDetail,
  qrisDetail,
  virtualAccountDetail,
} from '../method.ts'
import { MAX_RETURN_URL_CHARACTERS, returnUrlFault } from './return-url.ts'

export const item = z
  .object({
    id: text().meta({ description: 'Your own product ID', example: 'sku-1' }),
    name: text().meta({ description: 'Name of the ordered item', example: 'Book' }),
    price: z
      .int()
      .min(0)
      .max(Number(MAX_AMOUNT))
      .meta({ description: 'Price of one unit, in cents', example: 10_000_000 }),
    quantity: z.int().min(1).max(1_000_000_000).meta({ description: 'Number of ordered units', example: 1 }),
  })
  .meta({ id: 'ItemInput', description: 'An item of the order' })

const returnUrl = z
  .string()
  .trim()
  .max(MAX_RETURN_URL_CHARACTERS)
  .superRefine((text, context) => {
    const fault = returnUrlFault(text)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: rule(fault) })
  })

const order = z.object({
  amount: z.int().min(1, rule('amount_not_positive')).max(Number(MAX_AMOUNT)).meta({
    description:
      'Amount in cents: 1 rupiah = 100 cents, so Rp100,000 is 10000000. Providers accept only whole rupiah',
    example: 10_000_000,
  }),
  currency: z.literal('IDR', {
    // Without a currency, the error says that the field is required, as for other fields.
    error: ({ input }) => (input === undefined ? undefined : rule('currency_unsupported')),
  }),
  method_type: z.enum(methodTypes),
  method_detail: methodDetail,
  customer_name: text().default('').meta({ description: 'Name of the customer', example: 'Budi Santoso' }),
  customer_email: optionalEmail()
    .default('')
    .meta({ description: 'Customer email address', example: 'budi@example.com' }),
  customer_phone: text().default('').meta({
    description: 'Customer phone number. Some e-wallets need it',
    example: '081234567890',
  }),
  items: z.array(item).max(100).default([]).meta({ description: 'Ordered items, up to 100' }),
  expiry_minutes: z
    .int()
    .min(2)
    .max(43_200)
    .optional()
    .meta({
      description: `Number of minutes until the payment expires. Defaults to ${DEFAULT_EXPIRY_MINUTES} minutes, or to the nearest time the channel allows. If you send a value the channel does not allow, the response is 400, and its message contains the limits`,
      example: 60,
    }),
  return_url: returnUrl.optional().meta({
    format: 'uri',
    description:
      'URL to which the e-wallet redirects the payer afterward. Must use `https`; in test mode, `http` on a loopback address is also allowed. If omitted, the payer sees a status page from this service. The e-wallet may append query parameters. A redirect is not proof of payment: wait for the webhook.',
    example: 'https://shop.example.com/orders/1001',
  }),
  customer_ip: z
    .union([z.ipv4(), z.ipv6()], rule('format_wrong', { format: 'ip' }))
    .optional()
    .meta({
      description:
        "The payer's IP address, which some e-wallets use. Send the IPv4 address if you have both an IPv4 and an IPv6 address.",
      example: '203.0.113.25',
    }),
})

export const createPaymentInput = order.refine(
  ({ method_type, method_detail }) => method_detail.type === method_type,
  { path: ['method_detail', 'type'], error: rule('method_mismatched') },
)
export type CreatePaymentInput = z.output<typeof createPaymentInput>

const orderBy = <Detail extends z.ZodType>(type: MethodType, detail: Detail, id: string) =>
  order.extend({ method_type: z.literal(type), method_detail: detail }).meta({ id })

/**
 * The input schema for creating a payment: one schema per method type, so that generated clients know which
 * fields each method needs.
 */
export const createPaymentBody = z
  .discriminatedUnion('method_type', [
    orderBy('virtual_account', virtualAccountDetail, 'CreateVirtualAccountPayment'),
    orderBy('qris', qrisDetail, 'CreateQrisPayment'),
    orderBy('e_wallet', eWalletDetail, 'CreateEWalletPayment'),
    orderBy('over_the_counter', overTheCounterDetail, 'CreateOverTheCounterPayment'),
  ])
  .meta({ id: 'CreatePayment' })

/** The schema of an X-Idempotency-Key header, which has 1 to 255 visible ASCII characters. */
export const idempotencyKey = z.string().regex(idempotencyKeyPattern)
