import { z } from 'zod'
import { services } from './answer.ts'
import { askedOrder } from './asked.ts'
import { type CreateService, customerInAdditionalInfo, textAt } from './create.ts'
import { amount, centsAsked, isoTime, oneOf, readFields, reference } from './fields.ts'
import { WALLET_LIMITS } from './limits.ts'
import { idr, snapOrder } from './order.ts'
import { keepSuccess, storedAnswer } from './replay.ts'
import { DAY_MS, isoWib, lifeLimits, MINUTE_MS } from './time.ts'

// Handles requests to create Midtrans wallet payments over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com direct-debit-api-gopay).

const service = services.payDebit

const urlParam = z.object({
  url: z.string().min(1).max(512),
  type: z.literal('PAY_RETURN'),
  isDeeplink: z.enum(['Y', 'N']).nullish(),
})

const debitFields = z.object({
  partnerReferenceNo: reference(64),
  merchantId: z.string().nullish(),
  // The documentation calls this field urlParams and defines it as a list. The official client's README calls
  // it urlParam and passes a single object. The sandbox ignores urlParam, like any unknown field.
  urlParams: z.array(urlParam).nullish(),
  validUpTo: isoTime.nullish(),
  payOptionDetails: z
    .array(
      z.object({
        payMethod: oneOf('gopay', 'shopeepay', 'dana'),
        payOption: z.string().min(1),
        transAmount: amount,
      }),
    )
    .length(1),
  additionalInfo: z.looseObject({}).nullish(),
})

// The maximum expiry time of each wallet in days, as documented on Midtrans' page direct-debit-api-gopay. Wallets that
// are not listed here have the general maximum.
const longestDays: Record<string, number> = { shopeepay: 5, dana: 1 }

export const payDebit: CreateService = {
  service,
  referenceOf: body => textAt(body, 'partnerReferenceNo'),
  customerOf: customerInAdditionalInfo,
  judge(sandbox, call, now) {
    const read = readFields(service, debitFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const option = fields.payOptionDetails[0] as (typeof fields.payOptionDetails)[number]
    const days = longestDays[option.payMethod]
    const returnUrl = fields.urlParams?.[0]?.url
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.partnerReferenceNo,
      // References can be reused: "partnerReferenceNo doesn't have unique validation" (Midtrans'
      // core-api-snap-open-api-overview).
      unique: false,
      cents: centsAsked(option.transAmount),
      limits: WALLET_LIMITS,
      merchantId: fields.merchantId ?? undefined,
      life: {
        wanted: fields.validUpTo,
        field: '{validUpTo}',
        defaultMs: 15 * MINUTE_MS,
        ...lifeLimits,
        ...(days !== undefined && { longestMs: days * DAY_MS }),
      },
      method: `wallet ${option.payMethod}`,
      number: '',
      customer: customerInAdditionalInfo(call.body),
      detail: {
        kind: 'debit',
        channel: option.payMethod,
        externalId: call.externalId,
        ...(returnUrl && { returnUrl }),
        echoed: {},
      },
    })
  },
  answer(sandbox, order) {
    const { id, reference: partnerReferenceNo, detail, askedCents, createdAt, expiresAt } = snapOrder(order)
    return {
      referenceNo: id,
      partnerReferenceNo,
      webRedirectUrl: `${sandbox.publicUrl}/pay/${id}`,
      appRedirectUrl: '',
      additionalInfo: {
        paymentType: detail.channel.toUpperCase(),
        grossAmount: idr(askedCents),
        transactionTime: isoWib(createdAt),
        ...(expiresAt !== null && { validUpTo: isoWib(expiresAt) }),
      },
    }
  },
  repeated: storedAnswer,
  remember: keepSuccess,
}
