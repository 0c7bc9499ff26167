import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { rule } from '../faults/rule.ts'
import { optionalEmail, text } from '../values/text.ts'
import { eraseCustomer, type Payer } from './erase-customer.ts'

/**
 * The minimum number of digits of a phone number. Payments may contain a shorter number instead of the payer's own, such
 * as 0, so a shorter number does not identify a payer.
 */
const MIN_PHONE_DIGITS = 7

const phoneNumber = text().regex(
  new RegExp(`^\\s*$|(?:[0-9][^0-9]*){${MIN_PHONE_DIGITS}}`),
  rule('phone_number_expected', { min: MIN_PHONE_DIGITS }),
)

const eraseInput = z
  .object({
    payment_id: z
      .string()
      .trim()
      .optional()
      .meta({ description: 'Payment UUID or payment code. Data is erased from this payment only' }),
    customer_email: optionalEmail().optional().meta({
      description: 'Email address of the payer. Data is erased from all payments with this email address',
      example: 'budi@example.com',
    }),
    customer_phone: phoneNumber.optional().meta({
      description: `Phone number of the payer, with at least ${MIN_PHONE_DIGITS} digits. Data is erased from all payments with this phone number`,
      example: '081234567890',
    }),
  })
  .refine(
    given => Object.values(given).filter(value => value !== undefined && value !== '').length === 1,
    rule('one_payer_needed'),
  )

export const customerRouter = router({
  erase: userProcedure({ permission: 'admin', roles: ['client'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/erase-customer',
        operationId: 'eraseCustomer',
        tags: ['Account'],
        summary: "Erase a payer's personal data",
        description:
          "Erases the payer's name, email address, phone number and IP address. The data is erased from one payment, or from all payments with the given email address or phone number. The payer's bank account is erased from refunds of these payments. A pending refund keeps the bank account until the refund succeeds or fails. Amounts, statuses and ledger entries stay. The audit log records the erasure without the data. This cannot be undone. The request is safe to retry.",
      },
      storesResponseLater: 'several transactions',
      errors: ['NOT_FOUND'],
    })
    .input(eraseInput)
    .output(
      z.strictObject({
        erased: z
          .int()
          .min(0)
          .meta({ description: 'Number of payments from which data was erased', example: 3 }),
      }),
    )
    .mutation(async ({ ctx, input }) => ({
      erased: await eraseCustomer(ctx.app, ctx.caller, payerOf(input)),
    })),
})

function payerOf({ payment_id, customer_email, customer_phone }: z.output<typeof eraseInput>): Payer {
  if (customer_email) return { email: customer_email }
  if (customer_phone) return { phone: customer_phone }
  return { paymentId: payment_id ?? '' }
}
