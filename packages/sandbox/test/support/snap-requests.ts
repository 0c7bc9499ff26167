import type { Json } from './merchant.ts'
import { askToken, type Caller, midtransCredentials, newReference, register } from './snap-merchant.ts'

// Builds the requests that a Midtrans merchant sends over BI-SNAP (Indonesia's standard for payment APIs).

export const TOKEN_PATH = '/v1.0/access-token/b2b'
export const VA = '/v1.0/transfer-va/create-va'
export const QR = '/v1.0/qr/qr-mpm-generate'
export const DEBIT = '/v1.0/debit/payment-host-to-host'

export const idr = (value: string) => ({ value, currency: 'IDR' })

export function va(over: Record<string, unknown> = {}, additional: Record<string, unknown> = {}): Json {
  return {
    partnerServiceId: '   70012',
    customerNo: '0000000000',
    virtualAccountNo: '   700120000000000',
    virtualAccountName: 'Jokul Doe',
    trxId: newReference(),
    totalAmount: idr('10000.00'),
    additionalInfo: {
      merchantId: 'G059876677',
      bank: 'mandiri',
      flags: { shouldRandomizeVaNumber: true },
      ...additional,
    },
    ...over,
  }
}

export function qr(over: Record<string, unknown> = {}): Json {
  return { partnerReferenceNo: newReference(), amount: idr('25000.00'), merchantId: 'G059876677', ...over }
}

export function debit(over: Record<string, unknown> = {}, wallet = 'GOPAY', amount = idr('102800.00')): Json {
  return {
    partnerReferenceNo: newReference(),
    urlParams: [{ url: 'shop://done', type: 'PAY_RETURN', isDeeplink: 'Y' }],
    payOptionDetails: [{ payMethod: wallet, payOption: wallet, transAmount: amount }],
    ...over,
  }
}

/** Registers the merchant and requests its access token. */
export async function midtransCaller(sandboxUrl: string): Promise<Caller> {
  const { client_id, client_secret: secret, partner_id: partnerId } = midtransCredentials
  await register(sandboxUrl, 'snap', midtransCredentials)
  const base = `${sandboxUrl}/snap`
  const { body } = await askToken(base, TOKEN_PATH, client_id)
  return { base, token: body.accessToken, secret, partnerId }
}
