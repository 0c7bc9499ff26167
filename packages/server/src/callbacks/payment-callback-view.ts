import { z } from 'zod'
import { callbackStatuses } from './callback.sql.ts'
import type { PaymentCallback } from './payment-callback.sql.ts'

export const paymentCallbackView = z
  .strictObject({
    id: z.uuid(),
    provider: z.string().meta({ example: 'midtrans' }),
    status: z.enum(callbackStatuses),
    reason: z.string().nullable(),
    received_at: z.iso.datetime(),
    processed_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'PaymentCallback',
    description: "A provider's callback about a payment, without its headers and body",
  })

export const viewPaymentCallback = (callback: PaymentCallback): z.output<typeof paymentCallbackView> => ({
  id: callback.id,
  provider: callback.provider,
  status: callback.status,
  reason: callback.reason,
  received_at: callback.receivedAt.toISOString(),
  processed_at: callback.processedAt?.toISOString() ?? null,
})
