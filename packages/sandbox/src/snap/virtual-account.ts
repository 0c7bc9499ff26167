import { z } from 'zod'
import { refusal, services } from './answer.ts'
import { askedOrder } from './asked.ts'
import { type CreateService, textAt } from './create.ts'
import {
  amount,
  centsAsked,
  customerNo,
  externalIdMismatch,
  isoTime,
  oneOf,
  partnerServiceId,
  readFields,
  reference,
} from './fields.ts'
import { bankLimits } from './limits.ts'
import { idr, snapOrder, virtualAccountOf } from './order.ts'
import { keepSuccess, storedAnswer } from './replay.ts'
import { DAY_MS, isoWib, lifeLimits } from './time.ts'
import { freeCustomerNo } from './va-number.ts'

// Handles requests to create Midtrans virtual accounts over SNAP, the Indonesian standard for payment APIs
// (docs.midtrans.com virtual-account-api-bank-transfer).

const service = services.createVa

// Midtrans' page lists the first seven banks. It mentions the last two only in its rules for virtual account numbers.
const vaFields = z
  .object({
    partnerServiceId,
    customerNo,
    virtualAccountNo: z.string().min(1).max(28),
    virtualAccountName: z.string().min(1).max(255),
    virtualAccountEmail: z.string().max(255).nullish(),
    virtualAccountPhone: z.string().max(30).nullish(),
    trxId: reference(36),
    totalAmount: amount,
    expiredDate: isoTime.nullish(),
    additionalInfo: z.looseObject({
      merchantId: z.string().min(1),
      bank: oneOf('bca', 'bni', 'bri', 'mandiri', 'permata', 'cimb', 'danamon', 'bsi', 'seabank'),
      flags: z.object({ shouldRandomizeVaNumber: z.boolean().nullish() }).nullish(),
    }),
  })
  .refine(fields => fields.virtualAccountNo === fields.partnerServiceId + fields.customerNo, {
    path: ['virtualAccountNo'],
  })

export const createVa: CreateService = {
  service,
  referenceOf: body => textAt(body, 'trxId'),
  customerOf: body => textAt(body, 'virtualAccountName'),
  judge(sandbox, call, now) {
    const read = readFields(service, vaFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const { merchantId, bank, flags } = fields.additionalInfo
    const mismatch = externalIdMismatch(service, call, fields.trxId)
    if (mismatch) return mismatch
    const own = call.merchant.credentials.partner_service_id
    if (own !== undefined && fields.partnerServiceId.trim() !== own.trim()) {
      return { refused: refusal(service, 'fieldFormat', '{partnerServiceId}') }
    }
    const wanted = flags?.shouldRandomizeVaNumber ? undefined : fields.customerNo
    const number = freeCustomerNo(fields.partnerServiceId, wanted, sandbox.store.isNumberPending)
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.trxId,
      unique: true,
      cents: centsAsked(fields.totalAmount),
      limits: bankLimits[bank],
      merchantId,
      life: { wanted: fields.expiredDate, field: '{expiredDate}', defaultMs: DAY_MS, ...lifeLimits },
      method: `virtual_account ${bank}`,
      number: fields.partnerServiceId.trim() + number,
      customer: fields.virtualAccountName,
      detail: {
        kind: 'va',
        channel: bank,
        externalId: call.externalId,
        partnerServiceId: fields.partnerServiceId,
        customerNo: number,
        ...(fields.virtualAccountEmail && { email: fields.virtualAccountEmail }),
        ...(fields.virtualAccountPhone && { phone: fields.virtualAccountPhone }),
        echoed: (call.body as { additionalInfo: Record<string, unknown> }).additionalInfo,
      },
    })
  },
  answer(_sandbox, order) {
    const { detail, reference: trxId, customer, askedCents, expiresAt } = snapOrder(order)
    return {
      virtualAccountData: {
        ...virtualAccountOf(detail),
        virtualAccountName: customer,
        ...(detail.email && { virtualAccountEmail: detail.email }),
        ...(detail.phone && { virtualAccountPhone: detail.phone }),
        trxId,
        totalAmount: idr(askedCents),
        ...(expiresAt !== null && { expiredDate: isoWib(expiresAt) }),
        additionalInfo: detail.echoed,
      },
    }
  },
  repeated: storedAnswer,
  remember: keepSuccess,
}
