import { z } from 'zod'
import { refusal, services } from '../snap/answer.ts'
import { askedOrder } from '../snap/asked.ts'
import { type CreateService, customerInAdditionalInfo, textAt, written } from '../snap/create.ts'
import {
  amount,
  centsAsked,
  customerNo,
  isoTime,
  partnerServiceId,
  readFields,
  reference,
} from '../snap/fields.ts'
import { QRIS_LIMITS } from '../snap/limits.ts'
import { idr, snapOrder, virtualAccountOf } from '../snap/order.ts'
import type { SnapCall } from '../snap/profile.ts'
import { qrContent } from '../snap/qris.ts'
import { DAY_MS, isoWib, MINUTE_MS } from '../snap/time.ts'
import { freeCustomerNo } from '../snap/va-number.ts'
import { isUsed, markUsed } from './external-id.ts'
import { walletHeaderFault } from './wallet-headers.ts'

// Handles DOKU's create requests over SNAP, the Indonesian standard for payment APIs. Sources: developers.doku.com
// direct-api/snap and the request classes of doku-nodejs-library.

// The sandbox's own limits for the expiry time, because DOKU documents none.
const life = { shortestMs: 1, longestMs: 366 * DAY_MS }

const unusedExternalId = (
  service: CreateService['service'],
): Pick<CreateService, 'repeated' | 'remember'> => ({
  repeated: (sandbox, call, now) =>
    isUsed(sandbox, call, now) ? written(refusal(service, 'sameExternalId')) : undefined,
  remember: (sandbox, call, _decided, now) => markUsed(sandbox, call, now),
})

const vaFields = z
  .object({
    partnerServiceId,
    // If customerNo is missing, DOKU generates the number.
    customerNo: customerNo.nullish(),
    virtualAccountNo: z.string().max(28).nullish(),
    virtualAccountName: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[a-zA-Z0-9.\\\-/+,=_:'@% ]*$/),
    virtualAccountEmail: z.string().max(255).nullish(),
    virtualAccountPhone: z.string().max(30).nullish(),
    trxId: reference(64),
    totalAmount: amount,
    // The sandbox supports only virtual accounts with a fixed amount (C: closed).
    virtualAccountTrxType: z.literal('C').nullish(),
    expiredDate: isoTime.nullish(),
    additionalInfo: z.looseObject({
      // The rules in rules.ts already check that the bank in `channel` is in DOKU's list, so this schema
      // accepts any text.
      channel: z.string(),
      virtualAccountConfig: z.looseObject({ reusableStatus: z.literal(false).nullish() }).nullish(),
    }),
  })
  .refine(
    fields => !fields.customerNo || fields.virtualAccountNo === fields.partnerServiceId + fields.customerNo,
    { path: ['virtualAccountNo'] },
  )

/**
 * Returns the BIN that the merchant registered for the bank. If there is none, returns the merchant's BIN for all
 * banks, or undefined if the merchant registered no such BIN either.
 */
function serviceIdOf({ merchant: { credentials } }: SnapCall, channel: string): string | undefined {
  const bank = channel.replace(/^VIRTUAL_ACCOUNT_(BANK_)?/, '').toLowerCase()
  return credentials[`partner_service_id_${bank}`] ?? credentials.partner_service_id
}

export const createVa: CreateService = {
  service: services.createVa,
  referenceOf: body => textAt(body, 'trxId'),
  customerOf: body => textAt(body, 'virtualAccountName'),
  judge(sandbox, call, now) {
    const service = services.createVa
    const read = readFields(service, vaFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const serviceId = fields.partnerServiceId
    const own = serviceIdOf(call, fields.additionalInfo.channel)
    if (own !== undefined && serviceId.trim() !== own.trim()) {
      return { refused: refusal(service, 'fieldFormat', '{partnerServiceId}') }
    }
    const isTaken = sandbox.store.isNumberPending
    // If the merchant chose the customer number, the sandbox never replaces it, because the merchant may
    // already have printed it.
    if (fields.customerNo && isTaken(serviceId.trim() + fields.customerNo)) {
      return { refused: refusal(service, 'sameReference', '{virtualAccountNo}') }
    }
    const number = fields.customerNo ?? freeCustomerNo(serviceId, undefined, isTaken)
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.trxId,
      unique: true,
      cents: centsAsked(fields.totalAmount),
      merchantId: undefined,
      life: { wanted: fields.expiredDate, field: '{expiredDate}', defaultMs: DAY_MS, ...life },
      method: `virtual_account ${fields.additionalInfo.channel.slice('VIRTUAL_ACCOUNT_'.length).toLowerCase()}`,
      number: serviceId.trim() + number,
      customer: fields.virtualAccountName,
      detail: {
        kind: 'va',
        channel: fields.additionalInfo.channel,
        externalId: call.externalId,
        partnerServiceId: serviceId,
        customerNo: number,
        ...(fields.virtualAccountEmail && { email: fields.virtualAccountEmail }),
        echoed: {},
      },
    })
  },
  answer(sandbox, order) {
    const { id, detail, reference: trxId, customer, askedCents, expiresAt } = snapOrder(order)
    const howToPay = `${sandbox.publicUrl}/pay/${id}`
    return {
      virtualAccountData: {
        ...virtualAccountOf(detail),
        virtualAccountName: customer,
        ...(detail.email && { virtualAccountEmail: detail.email }),
        trxId,
        totalAmount: idr(askedCents),
        virtualAccountTrxType: 'C',
        ...(expiresAt !== null && { expiredDate: isoWib(expiresAt) }),
        additionalInfo: { channel: detail.channel, howToPayPage: howToPay, howToPayApi: howToPay },
      },
    }
  },
  ...unusedExternalId(services.createVa),
}

const qrFields = z.object({
  partnerReferenceNo: reference(64),
  amount,
  // The merchant's ID. DOKU documents it as "Credential mall ID from DOKU".
  merchantId: z.string().min(1),
  terminalId: z.string().regex(/^[A-Za-z0-9]{3,16}$/),
  validityPeriod: isoTime.nullish(),
  // DOKU does not document feeType, but every published integration sends it.
  additionalInfo: z.looseObject({ postalCode: z.string().regex(/^\d{5}$/), feeType: z.string().min(1) }),
})

export const generateQr: CreateService = {
  service: services.generateQr,
  referenceOf: body => textAt(body, 'partnerReferenceNo'),
  customerOf: customerInAdditionalInfo,
  judge(sandbox, call, now) {
    const service = services.generateQr
    const read = readFields(service, qrFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const { qris_merchant_id: mallId, qris_terminal_id: terminalId } = call.merchant.credentials
    if (mallId !== undefined && fields.merchantId !== mallId) {
      return { refused: refusal(service, 'invalidMerchant') }
    }
    if (terminalId !== undefined && fields.terminalId !== terminalId) {
      return { refused: refusal(service, 'fieldFormat', '{terminalId}') }
    }
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.partnerReferenceNo,
      unique: true,
      cents: centsAsked(fields.amount),
      limits: QRIS_LIMITS,
      merchantId: undefined,
      life: {
        wanted: fields.validityPeriod,
        field: '{validityPeriod}',
        // DOKU's documentation of the validity period: "If not sent will use Default value 30 days."
        defaultMs: 30 * DAY_MS,
        ...life,
      },
      method: 'qris',
      number: '',
      customer: customerInAdditionalInfo(call.body),
      detail: {
        kind: 'qr',
        channel: 'doku',
        externalId: call.externalId,
        echoed: { terminalId: fields.terminalId },
      },
    })
  },
  answer(_sandbox, order) {
    return {
      // DOKU repeats the merchant's reference as its own ID of a QR order. In DOKU's sample inquiry, both are equal, too.
      referenceNo: order.reference,
      partnerReferenceNo: order.reference,
      qrContent: qrContent(order, 'doku'),
      terminalId: snapOrder(order).detail.echoed.terminalId,
      additionalInfo: {},
    }
  },
  ...unusedExternalId(services.generateQr),
}

// doku-nodejs-library (paymentJumpAppRequestDTO.js) requires the fields url, type and isDeepLink. Note the
// capital L in isDeepLink: Midtrans spells this field isDeeplink.
const urlParam = z.object({
  url: z.url().max(255),
  type: z.literal('PAY_RETURN'),
  isDeepLink: z.enum(['Y', 'N']),
})

const debitFields = z.object({
  partnerReferenceNo: reference(64),
  amount,
  urlParam: z.array(urlParam).min(1),
  validUpTo: isoTime.nullish(),
  pointOfInitiation: z.string().max(20).nullish(),
  additionalInfo: z.looseObject({
    channel: z.enum(['EMONEY_DANA_SNAP', 'EMONEY_SHOPEE_PAY_SNAP', 'EMONEY_OVO_SNAP']),
  }),
})

export const payDebit: CreateService = {
  service: services.payDebit,
  referenceOf: body => textAt(body, 'partnerReferenceNo'),
  customerOf: customerInAdditionalInfo,
  judge(sandbox, call, now) {
    const service = services.payDebit
    const fault = walletHeaderFault(call.headers)
    if (fault) return { refused: refusal(service, fault.reason, fault.header) }
    const read = readFields(service, debitFields, call.body)
    if ('refused' in read) return read
    const { fields } = read
    const { channel } = fields.additionalInfo
    return askedOrder(sandbox, call, now, {
      service,
      reference: fields.partnerReferenceNo,
      unique: true,
      cents: centsAsked(fields.amount),
      merchantId: undefined,
      life: { wanted: fields.validUpTo, field: '{validUpTo}', defaultMs: 60 * MINUTE_MS, ...life },
      method: `wallet ${channel.slice('EMONEY_'.length, -'_SNAP'.length).toLowerCase()}`,
      number: '',
      customer: customerInAdditionalInfo(call.body),
      detail: {
        kind: 'debit',
        channel,
        externalId: call.externalId,
        returnUrl: fields.urlParam[0]?.url ?? '',
        echoed: {},
      },
    })
  },
  answer(sandbox, order) {
    return {
      webRedirectUrl: `${sandbox.publicUrl}/pay/${order.id}`,
      partnerReferenceNo: order.reference,
      referenceNo: order.id,
      additionalInfo: {},
    }
  },
  ...unusedExternalId(services.payDebit),
}
