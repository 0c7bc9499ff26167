import { z } from 'zod'
import { refusal, services } from './answer.ts'
import { askedOrder } from './asked.ts'
import { type CreateService, customerInAdditionalInfo, textAt, written } from './create.ts'
import { amount, centsAsked, externalIdMismatch, isoTime, oneOf, readFields, reference } from './fields.ts'
import { QRIS_LIMITS } from './limits.ts'
import { snapOrder } from './order.ts'
import { qrContent } from './qris.ts'
import { keepSuccess, scopeOf } from './replay.ts'
import { lifeLimits, MINUTE_MS } from './time.ts'

// Handles requests to create Midtrans QR codes over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com mpm-api-qris).

const service = services.generateQr

const qrFields = z.object({
  partnerReferenceNo: reference(36),
  amount,
  merchantId: z.string().nullish(),
  validityPeriod: isoTime.nullish(),
  additionalInfo: z.looseObject({ acquirer: oneOf('gopay', 'airpay shopee').nullish() }).nullish(),
})

export const generateQr: CreateService = {
  service,
  referenceOf: body => textAt(body, 'partnerReferenceNo'),
  customerOf: customerInAdditionalInfo,
  judge(sandbox, call, now) {
    const read = readFields(service, qrFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const mismatch = externalIdMismatch(service, call, fields.partnerReferenceNo)
    if (mismatch) return mismatch
    const acquirer = fields.additionalInfo?.acquirer ?? 'gopay'
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.partnerReferenceNo,
      unique: true,
      cents: centsAsked(fields.amount),
      limits: QRIS_LIMITS,
      merchantId: fields.merchantId ?? undefined,
      life: {
        wanted: fields.validityPeriod,
        field: '{validityPeriod}',
        defaultMs: 15 * MINUTE_MS,
        ...lifeLimits,
      },
      method: `qris ${acquirer}`,
      number: '',
      customer: customerInAdditionalInfo(call.body),
      detail: { kind: 'qr', channel: acquirer, externalId: call.externalId, echoed: {} },
    })
  },
  answer(sandbox, order) {
    const own = snapOrder(order)
    return {
      referenceNo: own.id,
      partnerReferenceNo: own.reference,
      qrContent: qrContent(own, own.detail.channel),
      qrUrl: `${sandbox.publicUrl}/orders/${own.id}/qr.png`,
      additionalInfo: { acquirer: own.detail.channel },
    }
  },
  // Midtrans documents this error, `4094700 Cannot use same X-EXTERNAL-ID`, only on its page about QR codes.
  repeated(sandbox, call) {
    return sandbox.store.findReplay(scopeOf(call)) && written(refusal(service, 'sameExternalId'))
  },
  remember: keepSuccess,
}
